// A copy takes the types along.
// check: effective-type
#include <stdlib.h>
#include <string.h>

int main(void) {
    double *from = malloc(2 * sizeof *from);
    long *to = malloc(2 * sizeof *to);
    if (!from || !to)
        return 0;
    from[0] = 1;
    from[1] = 2;
    memcpy(to, from, 2 * sizeof *from);
    long bits = to[1]; //~ BUG(effective-type)
    free(from);
    free(to);
    return bits == 0;
}
