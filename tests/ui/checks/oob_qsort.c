// The comparison function reads past the element that qsort hands it.
#include <stdlib.h>

struct wide { int key, other; };

static int compare(const void *a, const void *b) {
    const struct wide *x = a, *y = b;
    return x->key + x->other - y->key - y->other; //~ BUG(out-of-bounds)
}

int main(void) {
    int v[2] = {2, 1};
    qsort(v, 2, sizeof *v, compare); //~ NOTE(main)
    return 0;
}
