// A float comparison on a member that was never set.
#include <stdlib.h>

struct vec { double x, y; };

int main(void) {
    struct vec *v = malloc(sizeof *v);
    v->x = 1;
    if (v->x + v->y > 2) //~ BUG(uninitialised)
        return 2;
    free(v);
    return 0;
}
