// float and double: the four operations and remainder over ordinary and special values, printed exactly.
#include <math.h>
#include <stdio.h>

#define TABLE(T, FMT, ...)                                                                                             \
    do {                                                                                                               \
        volatile T v[] = {__VA_ARGS__};                                                                                \
        for (size_t i = 0; i < sizeof v / sizeof *v; i++)                                                              \
            for (size_t j = 0; j < sizeof v / sizeof *v; j++) {                                                        \
                T r[] = {v[i] + v[j], v[i] - v[j], v[i] * v[j], v[i] / v[j], -v[i]};                                   \
                for (int k = 0; k < 5; k++)                                                                            \
                    if (isnan(r[k]))                                                                                   \
                        printf(" nan");                                                                                \
                    else                                                                                               \
                        printf(" " FMT, r[k]);                                                                         \
                putchar('\n');                                                                                         \
            }                                                                                                          \
    } while (0)

int main(void) {
    TABLE(float, "%a", 0.0f, -0.0f, 1.0f, 0.1f, -3.5f, 1e30f, 1e-40f, 16777217.0f, INFINITY, -INFINITY);
    TABLE(double, "%a", 0.0, -0.0, 1.0, 0.1, -3.5, 1e300, 4.9e-324, 9007199254740993.0, INFINITY, -INFINITY);
    return 0;
}
