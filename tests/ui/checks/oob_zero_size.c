// An object of no bytes has no first byte.
#include <stdlib.h>

int main(void) {
    char *p = malloc(0);
    if (p)
        *p = 1; //~ BUG(out-of-bounds)
    free(p);
    return 0;
}
