// Complex arithmetic of float and double.
#include <complex.h>
#include <stdio.h>

static double complex step(double complex z, double complex c) { return z * z + c; }

int main(void) {
    volatile double complex a = 1.5 + 2.25 * I, b = -0.5 + 4.0 * I;
    double complex r[] = {a + b, a - b, a * b, a / b, -a, conj(b), a * 2, 1 / a};
    for (int i = 0; i < 8; i++)
        printf("%a %a\n", creal(r[i]), cimag(r[i]));
    printf("%d %d %zu\n", a == b, a != b, sizeof a);
    float complex f = 0.1f + 0.2f * I;
    for (int i = 0; i < 5; i++)
        f = f * f + (0.3f - 0.1f * I);
    printf("%a %a\n", crealf(f), cimagf(f));
    for (int y = -4; y <= 4; y++, putchar('\n'))
        for (int x = -8; x <= 4; x++) {
            double complex z = 0;
            int n = 0;
            while (n < 9 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) {
                z = step(z, x * 0.25 + y * 0.3 * I);
                n++;
            }
            putchar('0' + n);
        }
    __real__ f = 7;
    __imag__ f = -1;
    printf("%g %g\n", crealf(f), cimagf(f));
    return 0;
}
