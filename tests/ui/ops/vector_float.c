// Float vectors, their conversions and comparison masks.
#include <stdio.h>

typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef int v4 __attribute__((vector_size(16)));
typedef long long v2 __attribute__((vector_size(16)));

static v4f scale(v4f v, float k) { return v * k; }

int main(void) {
    v4f a = {1.5f, -2.0f, 0.1f, 1e10f}, b = {0.5f, 3.0f, 0.2f, 1e-5f};
    v4f r[] = {a + b, a - b, a * b, a / b, -a, scale(a, 2.0f)};
    for (int i = 0; i < 6; i++)
        printf("%a %a %a %a\n", r[i][0], r[i][1], r[i][2], r[i][3]);
    v4 less = a < b;
    printf("%d %d %d %d\n", less[0], less[1], less[2], less[3]);
    v4 ints = __builtin_convertvector(scale(b, 7), v4);
    v4f back = __builtin_convertvector(ints, v4f);
    printf("%d %d %d %d %g\n", ints[0], ints[1], ints[2], ints[3], back[1]);
    v2d d = {1.0, 2.0};
    for (int i = 0; i < 10; i++)
        d = d * d / (d + 1) + 0.25;
    v2 same = d == d;
    printf("%a %a %lld\n", d[0], d[1], same[0]);
    return 0;
}
