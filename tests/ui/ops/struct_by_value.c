// Structures of 1 to 40 bytes passed and returned by value: every class of the calling convention.
#include <stdio.h>

#define SIZED(N)                                                                                                       \
    struct s##N {                                                                                                      \
        unsigned char b[N];                                                                                            \
    };                                                                                                                 \
    static __attribute__((noinline)) struct s##N next##N(int before, struct s##N x, int after) {                       \
        for (int i = 0; i < N; i++)                                                                                    \
            x.b[i] = (unsigned char)(x.b[i] * 3 + before - after);                                                     \
        return x;                                                                                                      \
    }
#define TRY(N)                                                                                                         \
    do {                                                                                                               \
        struct s##N x, y;                                                                                              \
        for (int i = 0; i < N; i++)                                                                                    \
            x.b[i] = (unsigned char)(i * 7 + N);                                                                       \
        y = next##N(5, next##N(1, x, 2), 9);                                                                           \
        unsigned h = 0;                                                                                                \
        for (int i = 0; i < N; i++)                                                                                    \
            h = h * 31 + y.b[i] + x.b[i] * 1000u;                                                                      \
        printf("%d %u\n", N, h);                                                                                       \
    } while (0)

SIZED(1) SIZED(2) SIZED(3) SIZED(4) SIZED(5) SIZED(6) SIZED(7) SIZED(8) SIZED(9) SIZED(11) SIZED(12) SIZED(13) SIZED(15)
SIZED(16) SIZED(17) SIZED(20) SIZED(24) SIZED(31) SIZED(32) SIZED(33) SIZED(40)

int main(void) {
    TRY(1); TRY(2); TRY(3); TRY(4); TRY(5); TRY(6); TRY(7); TRY(8); TRY(9); TRY(11); TRY(12); TRY(13); TRY(15);
    TRY(16); TRY(17); TRY(20); TRY(24); TRY(31); TRY(32); TRY(33); TRY(40);
    return 0;
}
