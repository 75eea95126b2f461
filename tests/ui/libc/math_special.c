// Special cases: zeros, infinities, NaN, domain errors; the classification macros on every class.
#include <math.h>
#include <stdio.h>

static const char *name(double x) {
    switch (fpclassify(x)) {
    case FP_NAN: return "nan";
    case FP_INFINITE: return "inf";
    case FP_ZERO: return "zero";
    case FP_SUBNORMAL: return "sub";
    default: return "normal";
    }
}

int main(void) {
    const double v[] = {0.0, -0.0, 1.0, 1e-310, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 7; i++)
        printf("%s %d %d %d\n", name(v[i]), !!isnan(v[i]), !!isinf(v[i]), !!signbit(v[i]));
    volatile double zero = 0, one = 1, inf = INFINITY, neg = -1;
    printf("%g %g %d %d\n", log(zero), exp(-inf), !!isnan(log(neg)), !!isnan(sqrt(neg)));
    printf("%g %g %g %g\n", pow(zero, zero), pow(inf, zero), pow(neg, inf), pow(one, NAN));
    printf("%g %g %g\n", pow(zero, neg), pow(-zero, neg), pow(-8.0, 3.0));
    printf("%d %d %d\n", !!isnan(fmod(one, zero)), !!isnan(inf - inf), !!isnan(inf * zero));
    printf("%g %g %g %g\n", atan2(zero, -one), atan2(-zero, -one), atan2(inf, inf), atan2(-one, zero));
    printf("%g %g %g\n", hypot(inf, NAN), fmin(NAN, one), cbrt(-27.0));
    printf("%g %g %g\n", exp(1000 * one), exp(-1000 * one), ldexp(one, 2000));
    printf("%g %g\n", HUGE_VAL, (double)HUGE_VALF);
    return 0;
}
