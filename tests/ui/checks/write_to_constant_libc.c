// strtok writes into its argument, here a literal.
#include <string.h>

int main(void) {
    char *text = "a,b";
    return strtok(text, ",") == 0; //~ BUG(write-to-constant)
}
