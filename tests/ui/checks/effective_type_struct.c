// Two structures of the same size, one of which has other members.
// check: effective-type
#include <stdlib.h>

struct ints {
    int a, b;
};
struct one_long {
    long a;
};

int main(void) {
    struct ints *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->a = 1;
    p->b = 2;
    long sum = ((struct one_long *)p)->a; //~ BUG(effective-type)
    free(p);
    return (int)sum;
}
