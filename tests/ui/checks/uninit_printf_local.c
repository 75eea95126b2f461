// Prints a local without a value.
#include <stdio.h>

int main(void) {
    int x;
    printf("%d\n", x); //~ BUG(uninitialised)
    return 0;
}
