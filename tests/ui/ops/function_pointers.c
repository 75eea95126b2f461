// Tables, callbacks, functions that return functions, comparison, casts and back.
#include <stdio.h>

typedef int op(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static op *const table[] = {add, sub, mul};

static op *choose(char c) { return c == '+' ? add : c == '-' ? sub : mul; }
static int fold(const int *v, int n, op *f) {
    int r = v[0];
    for (int i = 1; i < n; i++)
        r = f(r, v[i]);
    return r;
}
static int (*(*maker(int which))(char))(int, int) { return which ? choose : 0; }

struct shape {
    const char *name;
    double (*area)(const struct shape *);
    double w, h;
};
static double rect(const struct shape *s) { return s->w * s->h; }
static double tri(const struct shape *s) { return s->w * s->h / 2; }

int main(void) {
    const int v[] = {7, 3, 2, 10};
    for (int i = 0; i < 3; i++)
        printf("%d ", fold(v, 4, table[i]));
    printf("%d %d\n", choose('*')(6, 7), maker(1)('-')(10, 4));
    struct shape shapes[] = {{"rect", rect, 2, 3}, {"tri", tri, 4, 5}};
    for (int i = 0; i < 2; i++)
        printf("%s %g\n", shapes[i].name, shapes[i].area(&shapes[i]));
    op *p = add;
    void (*erased)(void) = (void (*)(void))p;
    printf("%d %d %d %d\n", p == choose('+'), p == sub, ((op *)erased)(1, 2), maker(0) == 0);
    printf("%d\n", (*****p)(20, 22));
    return 0;
}
