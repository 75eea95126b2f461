// All six comparisons, signed and unsigned, at every width.
#include <stdint.h>
#include <stdio.h>

#define CMP(T, ...)                                                                                                    \
    do {                                                                                                               \
        T v[] = {__VA_ARGS__};                                                                                         \
        for (size_t i = 0; i < sizeof v / sizeof *v; i++, putchar('\n'))                                               \
            for (size_t j = 0; j < sizeof v / sizeof *v; j++)                                                          \
                printf(" %d%d%d%d%d%d", v[i] < v[j], v[i] <= v[j], v[i] > v[j], v[i] >= v[j], v[i] == v[j],            \
                       v[i] != v[j]);                                                                                  \
    } while (0)

int main(void) {
    CMP(int8_t, -128, -1, 0, 1, 127);
    CMP(uint8_t, 0, 1, 127, 128, 255);
    CMP(int16_t, INT16_MIN, -1, 0, 1, INT16_MAX);
    CMP(uint16_t, 0, 1, 0x7fff, 0x8000, 0xffff);
    CMP(int32_t, INT32_MIN, -1, 0, 1, INT32_MAX);
    CMP(uint32_t, 0, 1, 0x7fffffff, 0x80000000u, 0xffffffffu);
    CMP(int64_t, INT64_MIN, -1, 0, 1, INT64_MAX);
    CMP(uint64_t, 0, 1, INT64_MAX, 1ull << 63, UINT64_MAX);
    CMP(__int128, (__int128)INT64_MIN * 16, -1, 0, 1, (__int128)INT64_MAX * 16);
    CMP(unsigned __int128, 0, 1, (unsigned __int128)1 << 64, (unsigned __int128)1 << 127, ~(unsigned __int128)0);
    int s = -1;
    unsigned u = 1;
    printf("%d %d %d\n", s < (int)u, (unsigned)s < u, (int8_t)0x80 < (uint8_t)0x80);
    return 0;
}
