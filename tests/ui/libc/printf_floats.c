// Floating conversions in all styles, with flags, precision, rounding and special values.
#include <math.h>
#include <stdio.h>

int main(void) {
    const double v[] = {0.0, -0.0, 1.0, -1.5, 0.1, 123.456, 1e-5, 1e5, 999999.5, 1e15, 1e16, 123456789.0, 1e100, 5e-324, 1.7976931348623157e308, 0.5, 1.5, 2.5, 0.05, 9.995, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        printf("[%f][%e][%g][%a]", v[i], v[i], v[i], v[i]);
        printf("[%.0f][%.0e][%.0g][%.1f][%.3g][%.10g][%#.0f]", v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%+f][% f][%012.3f][%-12.2e][%12g][%F][%E][%G][%A]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    }
    printf("[%f][%5.1f][%F][%+f][%05f]\n", NAN, NAN, NAN, NAN, NAN);
    printf("[%.20f][%.15e][%.30g][%.3a][%.0a]\n", 0.1, 1.0 / 3, 0.1, 1.999, 1.5);
    printf("[%Lf][%Le][%Lg][%.25Lf]\n", 1.5L, 1e-10L, 1e10L, 1.0L / 3);
    printf("[%#g][%#g][%#g][%#.3g]\n", 1.0, 1e10, 1e-7, 100.0);
    printf("[%*.*f][%-*.*e]\n", 10, 2, 3.14159, 14, 3, 31415.9);
    printf("[%.60f]\n[%.80g]\n", 1e-20, 1e22);
    return 0;
}
