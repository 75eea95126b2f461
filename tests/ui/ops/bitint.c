// _BitInt at widths that are no machine width.
// cflags: -std=c23
// configs: O0,O1,O2
#include <stdio.h>

#define SHOW(N)                                                                                                        \
    do {                                                                                                               \
        unsigned _BitInt(N) u = 0, one = 1;                                                                            \
        _BitInt(N) s = -3;                                                                                             \
        u = u - one;                                                                                                   \
        printf(#N ": %llu %llu %lld %lld %d", (unsigned long long)u, (unsigned long long)(u >> 1), (long long)(s / 2), \
               (long long)(s * 1), s < 0);                                                                             \
        u = (unsigned _BitInt(N))(u * u);                                                                              \
        printf(" %llu %zu\n", (unsigned long long)u, sizeof u);                                                        \
    } while (0)

struct mixed {
    _BitInt(3) a;
    unsigned _BitInt(17) b;
    _BitInt(48) c;
};

int main(void) {
    SHOW(3);
    SHOW(5);
    SHOW(7);
    SHOW(13);
    SHOW(17);
    SHOW(24);
    SHOW(31);
    SHOW(33);
    SHOW(48);
    SHOW(63);
    SHOW(65);
    SHOW(100);
    SHOW(128);
    struct mixed m = {.a = -4, .b = 131071, .c = -140737488355328wb};
    printf("%d %u %lld\n", (int)m.a, (unsigned)m.b, (long long)m.c);
    m.b += 1;
    printf("%u\n", (unsigned)m.b);
    return 0;
}
