// Variable arguments: more than fit in registers, of every class, va_copy, passing the list on.
#include <stdarg.h>
#include <stdio.h>

struct small { int a; float b; };
struct two { long a; double b; };
struct large { int v[7]; };

static long ints(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long s = 0;
    for (int i = 0; i < n; i++)
        s = s * 3 + va_arg(ap, int);
    va_end(ap);
    return s;
}
static double doubles(int n, ...) {
    va_list ap, again;
    va_start(ap, n);
    va_copy(again, ap);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap, double) * i;
    for (int i = 0; i < n; i++)
        s += va_arg(again, double);
    va_end(again);
    va_end(ap);
    return s;
}
static void mixed(const char *kinds, ...) {
    va_list ap;
    va_start(ap, kinds);
    for (const char *k = kinds; *k; k++)
        switch (*k) {
        case 'i': printf(" %d", va_arg(ap, int)); break;
        case 'l': printf(" %ld", va_arg(ap, long)); break;
        case 'd': printf(" %g", va_arg(ap, double)); break;
        case 'D': printf(" %Lg", va_arg(ap, long double)); break;
        case 's': printf(" %s", va_arg(ap, char *)); break;
        case 'S': { struct small x = va_arg(ap, struct small); printf(" {%d %g}", x.a, x.b); break; }
        case 'T': { struct two x = va_arg(ap, struct two); printf(" {%ld %g}", x.a, x.b); break; }
        case 'L': { struct large x = va_arg(ap, struct large); printf(" {%d %d}", x.v[0], x.v[6]); break; }
        }
    putchar('\n');
    va_end(ap);
}
static int sum_list(int n, va_list *ap) {
    int s = 0;
    while (n--)
        s += va_arg(*ap, int);
    return s;
}
static int forward(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int first = sum_list(n / 2, &ap);
    int rest = sum_list(n - n / 2, &ap);
    va_end(ap);
    return first * 1000 + rest;
}

int main(void) {
    printf("%ld %ld\n", ints(3, 1, 2, 3), ints(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    printf("%g %g\n", doubles(2, 1.5, 2.5), doubles(11, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.));
    struct small s = {1, 2.5f};
    struct two t = {3, 4.5};
    struct large l = {{5, 6, 7, 8, 9, 10, 11}};
    mixed("idsDSTL", 1, 2.5, "three", 4.5L, s, t, l);
    mixed("LLDDTTTTSSSSSSiiiddd", l, l, 1.0L, 2.0L, t, t, t, t, s, s, s, s, s, s, 1, 2, 3, 1.0, 2.0, 3.0);
    mixed("ldldldldldldldldldld", 1L, 1., 2L, 2., 3L, 3., 4L, 4., 5L, 5., 6L, 6., 7L, 7., 8L, 8., 9L, 9., 10L, 10.);
    printf("%d\n", forward(6, 1, 2, 3, 4, 5, 6));
    return 0;
}
