// Idioms that the optimiser turns into min, max, abs, saturating and funnel-shift intrinsics.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int smin(int a, int b) { return a < b ? a : b; }
static unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
static long long clamp(long long x, long long lo, long long hi) { return x < lo ? lo : x > hi ? hi : x; }
static unsigned char sat_add(unsigned char a, unsigned char b) { return a + b > 255 ? 255 : (unsigned char)(a + b); }
static unsigned sat_sub(unsigned a, unsigned b) { return a > b ? a - b : 0; }
static uint32_t funnel(uint32_t hi, uint32_t lo, unsigned n) { return n &= 31, n ? hi << n | lo >> (32 - n) : hi; }

int main(void) {
    int v[] = {0, 1, -1, 77, -200, 1 << 30, -(1 << 30)};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            printf("%d %u %lld %u %u %08x %d %ld\n", smin(v[i], v[j]), umax((unsigned)v[i], (unsigned)v[j]), clamp(v[i], -100, v[j] < -100 ? -100 : v[j]),
                   sat_add((unsigned char)v[i], (unsigned char)v[j]), sat_sub((unsigned)v[i], (unsigned)v[j]), funnel((uint32_t)v[i], (uint32_t)v[j], (unsigned)j * 5),
                   abs(v[i]), labs((long)v[j] * 3));
    return 0;
}
