// A virtual table reached through a freed object.
#include <stdlib.h>

struct object { int (*method)(struct object *); };
static int method(struct object *o) { return o == 0; }

int main(void) {
    struct object *o = malloc(sizeof *o);
    o->method = method;
    free(o);
    return o->method(o); //~ BUG(use-after-free)
}
