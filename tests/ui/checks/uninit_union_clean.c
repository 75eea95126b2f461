// A union written through its smaller member and copied whole.
#include <stdio.h>

union value { char c; int i; double d; char text[24]; };
struct tagged { int kind; union value v; };

static int get(struct tagged t) { return t.kind ? t.v.i : t.v.c; }

int main(void) {
    struct tagged a, b, c;
    a.kind = 0;
    a.v.c = 'x';
    b = a;
    c.kind = 1;
    c.v.i = 77;
    a = c;
    printf("%d %d\n", get(a), get(b));
    return 0;
}
