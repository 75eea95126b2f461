// A pointer read as a number.
// check: effective-type
#include <stdlib.h>

int main(void) {
    int x = 1;
    int **p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = &x;
    unsigned long bits = *(unsigned long *)p; //~ BUG(effective-type)
    free(p);
    return bits == 0;
}
