// Keeps an old pointer over a realloc that moved the block.
#include <stdlib.h>

int main(void) {
    int *v = malloc(2 * sizeof *v);
    v[0] = 1;
    int *first = &v[0];
    int *grown = realloc(v, 100000 * sizeof *v); //~ NOTE(freed here)
    grown[1] = *first; //~ BUG(use-after-free)
    free(grown);
    return 0;
}
