// Loops that the optimiser turns into vector code: sums, maps, strides, minimum, reversal, byte counts.
#include <stdio.h>

#define N 257
static int a[N], b[N];
static unsigned char bytes[N];
static double d[N];
static short h[N];

int main(void) {
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 - 300;
        b[i] = (i * 31) % 101;
        bytes[i] = (unsigned char)(i * 13);
        d[i] = i * 0.5;
        h[i] = (short)(i * 257);
    }
    long long sum = 0, dot = 0;
    int min = a[0], count = 0;
    unsigned hash = 0;
    for (int i = 0; i < N; i++)
        sum += a[i];
    for (int i = 0; i < N; i++)
        dot += (long long)a[i] * b[i];
    for (int i = 0; i < N; i++)
        min = b[i] - a[i] < min ? b[i] - a[i] : min;
    for (int i = 0; i < N; i++)
        count += bytes[i] > 128;
    for (int i = 0; i < N; i++)
        a[i] = b[N - 1 - i] + 2 * bytes[i];
    for (int i = 0; i + 2 < N; i += 3)
        b[i] = a[i + 1] ^ a[i + 2];
    for (int i = 0; i < N; i++)
        d[i] = d[i] * 2 + 1;
    for (int i = 0; i < N; i++)
        h[i] = (short)(h[i] >> 3);
    for (int i = 0; i < N; i++)
        hash = hash * 31 + (unsigned)(a[i] + b[i]) + (unsigned)d[i] + (unsigned short)h[i];
    printf("%lld %lld %d %d %u\n", sum, dot, min, count, hash);
    return 0;
}
