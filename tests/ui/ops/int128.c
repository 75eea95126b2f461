// 128-bit arithmetic, which clang partly turns into library-style sequences.
#include <stdint.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *what, u128 x) { printf("%s %016llx%016llx\n", what, (unsigned long long)(x >> 64), (unsigned long long)x); }

static void decimal(u128 x) {
    char digits[40];
    int n = 0;
    do {
        digits[n++] = (char)('0' + (int)(x % 10));
        x /= 10;
    } while (x);
    while (n)
        putchar(digits[--n]);
    putchar('\n');
}

int main(void) {
    u128 v[] = {0, 1, 3, (u128)1 << 63, (u128)1 << 64, ((u128)0x0123456789abcdef << 64) | 0xfedcba9876543210, ~(u128)0, 1000000007};
    int n = sizeof v / sizeof *v;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            show("add", v[i] + v[j]);
            show("sub", v[i] - v[j]);
            show("mul", v[i] * v[j]);
            if (v[j]) {
                show("udiv", v[i] / v[j]);
                show("urem", v[i] % v[j]);
            }
            i128 a = (i128)(v[i] >> 1), b = -(i128)(v[j] >> 2);
            if (b) {
                show("sdiv", (u128)(a / b));
                show("srem", (u128)(-a % b));
            }
        }
    u128 f = 1;
    for (int i = 2; i <= 33; i++)
        decimal(f *= (u128)i);
    printf("%.17g %.9g %d\n", (double)f, (float)(i128)-f, (int)((u128)1e30 >> 90));
    return 0;
}
