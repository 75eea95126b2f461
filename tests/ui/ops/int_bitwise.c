// And, or, xor, complement and negation at every width.
#include <stdint.h>
#include <stdio.h>

#define SHOW(T, a, b)                                                                                                  \
    do {                                                                                                               \
        volatile T x = (T)(a), y = (T)(b);                                                                             \
        printf(#T " %llx %llx %llx %llx %llx %d\n", (unsigned long long)(T)(x & y), (unsigned long long)(T)(x | y),    \
               (unsigned long long)(T)(x ^ y), (unsigned long long)(T)~x, (unsigned long long)(T)-x, !x);              \
    } while (0)

int main(void) {
    const uint64_t v[] = {0, 1, 0xff, 0x0123456789abcdef, 0xaaaaaaaaaaaaaaaa, 0x7fffffffffffff01};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            SHOW(uint8_t, v[i], v[j]);
            SHOW(uint16_t, v[i], v[j]);
            SHOW(uint32_t, v[i], v[j]);
            SHOW(uint64_t, v[i], v[j]);
            SHOW(int8_t, v[i], v[j]);
            SHOW(int64_t, v[i], v[j]);
        }
    return 0;
}
