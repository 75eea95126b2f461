// An int made of the halves of two.
// check: effective-type
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    if (!p)
        return 0;
    p[0] = 1;
    p[1] = 2;
    int mixed = *(int *)((char *)p + 2); //~ BUG(effective-type)
    free(p);
    return mixed;
}
