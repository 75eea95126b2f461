// Functions with one right answer: rounding, remainders, parts, square root, neighbours.
#include <math.h>
#include <stdio.h>

int main(void) {
    const double v[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 1e15 + 0.5, -1e300, 4503599627370497.5, 1e-310, INFINITY};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        double x = v[i], ip;
        int e;
        printf("%a: %a %a %a %a %a %a", x, floor(x), ceil(x), trunc(x), round(x), rint(x), nearbyint(x));
        printf(" %a", modf(x, &ip));
        printf(" %a", ip);
        if (isfinite(x)) {
            printf(" %a", frexp(x, &e));
            printf(" %d", e);
        }
        printf(" %a %a %a", fabs(x), sqrt(fabs(x)), copysign(x, -1));
        printf(" %a %a %a\n", nextafter(x, 10), ldexp(x, 3), scalbn(x, -3));
    }
    printf("%ld %ld %lld %lld %ld\n", lround(2.5), lround(-2.5), llround(1e15 + 0.5), llrint(2.5), lrint(3.5));
    const double p[][2] = {{5.5, 2}, {-5.5, 2}, {5.5, -2}, {1e20, 3}, {0.1, 0.01}, {7, 7}, {-0.0, 1}};
    for (int i = 0; i < 7; i++) {
        int q;
        printf("%a %a %a", fmod(p[i][0], p[i][1]), remainder(p[i][0], p[i][1]), remquo(p[i][0], p[i][1], &q));
        printf(" %d %a %a %a\n", q & 7, fdim(p[i][0], p[i][1]), fmax(p[i][0], p[i][1]), fmin(p[i][0], p[i][1]));
    }
    printf("%d %d %g %g\n", ilogb(1000), ilogb(0.1), logb(1000), logb(1e-310));
    printf("%a %a %a %a\n", floorf(-1.5f), ceilf(1.2f), sqrtf(2.0f), roundf(0.5f));
    printf("%La %La %La\n", floorl(-1.5L), sqrtl(2.0L), fabsl(-3.0L));
    printf("%a %a\n", fma(2, 3, 4), nextafterf(1.0f, 2.0f));
    return 0;
}
