// sscanf of numbers: bases, widths, lengths, signs, suppression, counts, matching failures.
#include <stdio.h>

int main(void) {
    int a = 0, b = 0, c = 0, n = 0, r;
    unsigned u = 0;
    long l = 0;
    long long ll = 0;
    short h = 0;
    signed char hh = 0;
    float f = 0;
    double d = 0;
    long double ld = 0;
    r = sscanf("12 -34 +56", "%d%d%d", &a, &b, &c);
    printf("%d %d %d %d\n", r, a, b, c);
    r = sscanf("0x1f 017 0x1f 99", "%i %i %x %u", &a, &b, &u, &c);
    printf("%d %d %d %u %d\n", r, a, b, u, c);
    r = sscanf("123456", "%2d%3d%n", &a, &b, &n);
    printf("%d %d %d %d\n", r, a, b, n);
    r = sscanf("-5 70000 9000000000 -9000000000", "%hhd %hd %ld %lld", &hh, &h, &l, &ll);
    printf("%d %d %d %ld %lld\n", r, hh, h, l, ll);
    r = sscanf("1.5 2.5e3 -0x1p4 .5", "%f %lf %Lf %e", &f, &d, &ld, &f);
    printf("%d %g %g %Lg\n", r, f, d, ld);
    r = sscanf("7,8;9", "%d,%d;%*d", &a, &b);
    printf("%d %d %d\n", r, a, b);
    printf("%d %d %d %d\n", sscanf("abc", "%d", &a), sscanf("", "%d", &a), sscanf("5x", "%d,%d", &a, &b), sscanf("  ", "%d", &a));
    r = sscanf("755 ff", "%o %X", &u, &c);
    printf("%d %u %d\n", r, u, c);
    r = sscanf("inf nan", "%lf %f", &d, &f);
    printf("%d %g %d\n", r, d, f != f);
    return 0;
}
