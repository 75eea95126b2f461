// Arithmetic carries the missing value along until a loop depends on it.
#include <stdlib.h>

int main(void) {
    unsigned char *p = malloc(2);
    p[0] = 3;
    int bound = (p[0] + p[1]) * 2 + 1, n = 0;
    while (n < bound) //~ BUG(uninitialised)
        n++;
    free(p);
    return n;
}
