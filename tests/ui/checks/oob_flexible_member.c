// A flexible array member allocated one element short.
#include <stdlib.h>

struct list { int n; int v[]; };

int main(void) {
    struct list *l = malloc(sizeof *l + 3 * sizeof(int)); //~ NOTE(allocated here)
    l->n = 4;
    for (int i = 0; i < l->n; i++)
        l->v[i] = i; //~ BUG(out-of-bounds)
    free(l);
    return 0;
}
