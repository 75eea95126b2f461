// Exponentials, logarithms, powers, trigonometric and hyperbolic functions to eleven digits.
#include <math.h>
#include <stdio.h>

#define SHOW(f, x) printf(#f "(%g) %.11g\n", (double)(x), (double)f(x))

int main(void) {
    const double v[] = {0.0, 0.1, 0.5, 1.0, -1.0, 2.0, 3.7, -4.2, 10.0};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        double x = v[i];
        SHOW(sin, x);
        SHOW(cos, x);
        SHOW(tan, x);
        SHOW(atan, x);
        SHOW(sinh, x);
        SHOW(cosh, x);
        SHOW(tanh, x);
        SHOW(asinh, x);
        SHOW(exp, x);
        SHOW(exp2, x);
        SHOW(expm1, x);
        SHOW(cbrt, x);
        SHOW(erf, x);
        SHOW(sinf, (float)x);
        printf("%.11g %.11g\n", atan2(x, 2), hypot(x, 3));
        if (x > 0) {
            SHOW(log, x);
            SHOW(log2, x);
            SHOW(log10, x);
            SHOW(log1p, x);
            SHOW(tgamma, x);
            SHOW(lgamma, x);
        }
        if (x >= -1 && x <= 1) {
            SHOW(asin, x);
            SHOW(acos, x);
        }
        for (double y = -2; y < 3; y += 1.5)
            if (x > 0)
                printf("pow %.11g\n", pow(x, y));
    }
    printf("%.6g %.6g %.6g\n", powf(2.5f, 1.5f), expf(1.0f), logf(10.0f));
    return 0;
}
