// for, while, do, break, continue, nested and with odd steps.
#include <stdio.h>

int main(void) {
    int total = 0;
    for (int i = 0, j = 20; i < j; i += 3, j--)
        total += i * j;
    int k = 10;
    while (k-- > 0) {
        if (k % 3 == 0)
            continue;
        if (k == 1)
            break;
        total += k;
    }
    do
        total ^= k;
    while (k-- > -5);
    for (unsigned u = 5; u < 6; u--)
        total += (int)u;
    for (;;)
        if (++total % 100 == 0)
            break;
    unsigned long steps = 0, n = 27;
    for (; n != 1; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    for (double x = 0; x < 1; x += 0.125)
        total += (int)(x * 8);
    printf("%d %d %lu\n", total, k, steps);
    return 0;
}
