// strtod, strtof, strtold: decimal, hexadecimal, special values, rounding, overflow and underflow.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *v[] = {"0", "-0", "1.5", ".5", "5.", "1e10", "1e", "1e+", "-2.5E-3x", "0x1.8p3", "0x.1", "0xg", "inf", "-Infinity", "infx", "nan", "nan(12)", "1e400", "-1e400", "1e-400", "4.9406564584124654e-324", "2.2250738585072011e-308", "0.1", "123456789012345678901234567890", "9007199254740993", "  \t3", "+4", "--1", ".", "1.7976931348623157e308", "1.7976931348623159e308"};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        char *end;
        errno = 0;
        double d = strtod(v[i], &end);
        int e = errno;
        if (isnan(d))
            printf("%s: nan %td %d\n", v[i], end - v[i], e);
        else
            printf("%s: %a %td %d\n", v[i], d, end - v[i], e);
    }
    printf("%a %a\n", strtof("0.1", NULL), strtof("16777217", NULL));
    printf("%La %La\n", strtold("0.1", NULL), strtold("1e4000", NULL));
    errno = 0;
    printf("%g", strtof("1e39", NULL));
    printf(" %d\n", errno);
    return 0;
}
