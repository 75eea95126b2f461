// fgets is told of more room than there is.
// stdin: a line longer than eight bytes\n
#include <stdio.h>

int main(void) {
    char line[8];
    return fgets(line, 80, stdin) == NULL; //~ BUG(out-of-bounds)
}
