// Conversions between float, double, long double and integers of every width, rounding included.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    volatile double v[] = {0.0, -0.0, 0.5, 1.5, -1.5, 2.999999, 127.9, -128.9, 65535.5, 1e9, -1e9, 16777217.0, 0.1};
    for (int i = 0; i < 13; i++) {
        double d = v[i];
        printf("%a %a %d %lld", (double)(float)d, (double)(long double)d, (int)d, (long long)d);
        if (d >= 0)
            printf(" %u %llu", (unsigned)d, (unsigned long long)d);
        if (d > -129 && d < 128)
            printf(" %d", (int8_t)d);
        putchar('\n');
    }
    volatile int64_t s[] = {0, 1, -1, 16777217, -16777217, INT64_MAX, INT64_MIN, 9007199254740993, 1152921504606846977};
    for (int i = 0; i < 9; i++)
        printf("%a %a %a %a %La\n", (float)s[i], (double)s[i], (float)(uint64_t)s[i], (double)(uint64_t)s[i], (long double)(uint64_t)s[i]);
    volatile uint8_t small = 200;
    volatile int16_t half = -31000;
    volatile uint32_t word = 4294967295u;
    printf("%a %a %a %a\n", (float)small, (double)half, (float)word, (double)word);
    volatile double big = 18446744073709549568.0, e = 9223372036854774784.0;
    printf("%llu %lld %llu\n", (unsigned long long)big, (long long)e, (unsigned long long)e);
    volatile float tiny = 1e-45f;
    printf("%a %a %d\n", (double)tiny, (double)(float)1e-46, (_Bool)tiny);
    return 0;
}
