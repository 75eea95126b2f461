// Truncation, sign and zero extension between every pair of widths.
#include <stdint.h>
#include <stdio.h>

#define TO(X)                                                                                                          \
    printf("  %d %u %d %u %d %u %lld %llu %d\n", (int8_t)(X), (uint8_t)(X), (int16_t)(X), (uint16_t)(X), (int32_t)(X), \
           (uint32_t)(X), (long long)(int64_t)(X), (unsigned long long)(uint64_t)(X), (_Bool)(X))

int main(void) {
    const uint64_t v[] = {0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x80000000, 0xffffffff, 0x8000000000000000, ~0ull, 0x123456789abcdef0};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        printf("%llx\n", (unsigned long long)v[i]);
        TO((int8_t)v[i]);
        TO((uint8_t)v[i]);
        TO((int16_t)v[i]);
        TO((uint16_t)v[i]);
        TO((int32_t)v[i]);
        TO((uint32_t)v[i]);
        TO((int64_t)v[i]);
        TO((__int128)(int64_t)v[i]);
    }
    return 0;
}
