// Shifts by every amount in range, logical and arithmetic.
#include <stdint.h>
#include <stdio.h>

#define SHIFTS(U, S, BITS, X)                                                                                          \
    for (int n = 0; n < BITS; n++) {                                                                                   \
        volatile U u = (U)(X);                                                                                         \
        volatile S s = (S)(X);                                                                                         \
        printf(#U "<<%d %llx %llx %lld\n", n, (unsigned long long)(U)(u << n), (unsigned long long)(U)(u >> n),        \
               (long long)(S)(s >> n));                                                                                \
    }

int main(void) {
    const uint64_t x = 0x89abcdef1234f6a5;
    SHIFTS(uint8_t, int8_t, 8, x);
    SHIFTS(uint16_t, int16_t, 16, x);
    SHIFTS(uint32_t, int32_t, 32, x ^ 0x80000000u);
    SHIFTS(uint64_t, int64_t, 64, x);
    SHIFTS(unsigned __int128, __int128, 128, ((unsigned __int128)x << 64) | 0x5a5a5a5a5a5a5a5a);
    return 0;
}
