// _Generic, _Static_assert, _Alignof, function-name and line identifiers.
#include <stdio.h>

#define NAME(x)                                                                                                        \
    _Generic((x), char: "char", signed char: "schar", int: "int", unsigned: "unsigned", long: "long", float: "float", \
             double: "double", char *: "char *", const char *: "const char *", int (*)(int): "function", default: "other")
#define ABS(x) _Generic((x), int: iabs, double: dabs, default: iabs)(x)

_Static_assert(sizeof(int) == 4, "int has four bytes");
static int iabs(int x) { return x < 0 ? -x : x; }
static double dabs(double x) { return x < 0 ? -x : x; }

int main(void) {
    const char *c = "c";
    printf("%s %s %s %s %s %s %s\n", NAME('a'), NAME((char)1), NAME(1u), NAME(1.0f), NAME("x"), NAME(c), NAME(iabs));
    printf("%s %s %d %g\n", NAME(1L), NAME((short)1 + 1), ABS(-3), ABS(-2.5));
    printf("%s %d %zu\n", __func__, __LINE__, _Alignof(double));
    return 0;
}
