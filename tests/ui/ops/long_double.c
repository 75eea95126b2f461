// The 80-bit format: arithmetic, conversion, comparison, storage and printing.
#include <stdio.h>
#include <string.h>

static long double power(long double x, int n) { return n ? x * power(x, n - 1) : 1; }

int main(void) {
    volatile long double third = 1.0L / 3, big = 1e4000L, tiny = 1e-4900L;
    printf("%La %La %La %La\n", third, big * 2, tiny / 3, third * 3 - 1);
    printf("%.20Lf %Lg %Le\n", third, big, tiny);
    printf("%.18Lg %.18Lg\n", power(1.1L, 50), power(-0.9L, 101));
    long double sum = 0;
    for (int i = 1; i <= 1000; i++)
        sum += 1.0L / i;
    printf("%.18Lf %.17f %.9f\n", sum, (double)sum, (float)sum);
    printf("%lld %llu %d\n", (long long)(sum * 1e17L), (unsigned long long)(sum * 1e18L), (int)-sum);
    long double a[3] = {1.5L, -2.25L, 1e100L}, b[3];
    memcpy(b, a, sizeof a);
    printf("%Lg %Lg %Lg %d %d %d\n", b[0], b[1], b[2], a[0] < b[1], a[0] == b[0], -a[1] > 2);
    printf("%d %d\n", sizeof(long double) == 16, (long double)18446744073709551615ull == 18446744073709551615.0L);
    return 0;
}
