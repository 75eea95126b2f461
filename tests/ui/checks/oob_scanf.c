// An unbounded %s overflows its buffer.
// stdin: incomprehensibilities\n
#include <stdio.h>

int main(void) {
    char word[8];
    scanf("%s", word); //~ BUG(out-of-bounds)
    return word[0];
}
