// Statement expressions, typeof, auto-typed macros, __builtin_choose_expr, __builtin_constant_p, labels local to a block.
#include <stdio.h>

#define MAX(a, b)                                                                                                      \
    ({                                                                                                                 \
        __typeof__(a) a_ = (a);                                                                                        \
        __typeof__(b) b_ = (b);                                                                                        \
        a_ > b_ ? a_ : b_;                                                                                             \
    })
#define FIND(array, n, x)                                                                                              \
    ({                                                                                                                 \
        __label__ found;                                                                                               \
        int i_ = 0;                                                                                                    \
        for (; i_ < (n); i_++)                                                                                         \
            if ((array)[i_] == (x))                                                                                    \
                goto found;                                                                                            \
        i_ = -1;                                                                                                       \
    found:                                                                                                             \
        i_;                                                                                                            \
    })

int main(void) {
    int v[] = {4, 8, 15, 16, 23, 42}, calls = 0;
    printf("%d %g %d\n", MAX(calls++, -5), MAX(2.5, 1), calls);
    printf("%d %d\n", FIND(v, 6, 16), FIND(v, 6, 17));
    __auto_type p = &v[2];
    printf("%d %d\n", *p, ({ int s = 0; for (int i = 0; i < 6; i++) s += v[i]; s; }));
    printf("%d %s\n", __builtin_constant_p(7), __builtin_choose_expr(sizeof(int) == 4, "four", 0));
    int x = 3, y = ({ if (x > 2) x *= 2; x + 1; });
    printf("%d %d %zu\n", x, y, sizeof(__typeof__(v[0]) [3]));
    return 0;
}
