// The part that realloc adds has no value.
#include <stdlib.h>

int main(void) {
    int *v = calloc(2, sizeof *v);
    v = realloc(v, 4 * sizeof *v);
    if (v[1])
        return 3;
    if (v[2]) //~ BUG(uninitialised)
        return 2;
    free(v);
    return 0;
}
