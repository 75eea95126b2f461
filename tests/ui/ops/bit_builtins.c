// Counting, swapping, reversing and rotating bits.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    const uint64_t v[] = {1, 2, 0x80, 0xff00, 0x12345678, 0x80000000, 0xdeadbeefcafebabe, ~0ull, 1ull << 63};
    for (int i = 0; i < 9; i++) {
        uint64_t x = v[i];
        uint32_t w = (uint32_t)(x | x >> 32);
        printf("%016llx pop %d %d par %d %d clz %d %d ctz %d %d ffs %d %d", (unsigned long long)x, __builtin_popcountll(x),
               __builtin_popcount(w), __builtin_parityll(x), __builtin_parity(w), __builtin_clzll(x), __builtin_clz(w),
               __builtin_ctzll(x), __builtin_ctz(w), __builtin_ffsll((long long)x), __builtin_ffs((int)w));
        printf(" clrsb %d %d\n", __builtin_clrsbll((long long)x), __builtin_clrsb((int)w));
        printf("  bswap %04x %08x %016llx", __builtin_bswap16((uint16_t)x), __builtin_bswap32(w), (unsigned long long)__builtin_bswap64(x));
        printf(" rev %02x %04x %08x %016llx\n", __builtin_bitreverse8((uint8_t)x), __builtin_bitreverse16((uint16_t)x),
               __builtin_bitreverse32(w), (unsigned long long)__builtin_bitreverse64(x));
        for (unsigned n = 0; n < 70; n += 13)
            printf("  rot %02x %04x %08x %08x %016llx %016llx\n", __builtin_rotateleft8((uint8_t)x, (uint8_t)n),
                   __builtin_rotateright16((uint16_t)x, (uint16_t)n), __builtin_rotateleft32(w, n), __builtin_rotateright32(w, n),
                   (unsigned long long)__builtin_rotateleft64(x, n), (unsigned long long)__builtin_rotateright64(x, n));
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_expect(v[0] == 1, 1) ? 5 : 6);
    return 0;
}
