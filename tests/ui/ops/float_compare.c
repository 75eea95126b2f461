// Comparisons with NaN, infinities and both zeros: ordered and unordered predicates.
#include <math.h>
#include <stdio.h>

static void row(double a, double b) {
    printf("%d%d%d%d%d%d %d%d%d%d%d%d %d\n", a < b, a <= b, a > b, a >= b, a == b, a != b, !(a < b), !(a <= b), !(a > b), !(a >= b),
           isless(a, b), islessgreater(a, b), isunordered(a, b));
}

int main(void) {
    volatile double v[] = {-INFINITY, -1.5, -0.0, 0.0, 1.5, INFINITY, NAN};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            row(v[i], v[j]);
    for (int i = 0; i < 7; i++)
        printf("%d %d %d %d %d %d\n", !!isnan(v[i]), !!isinf(v[i]), !!isfinite(v[i]), !!isnormal(v[i]), !!signbit(v[i]), v[i] ? 1 : 0);
    volatile float f = NAN;
    printf("%d %d %d\n", f == f, f != f, f < 1.0f || f >= 1.0f);
    return 0;
}
