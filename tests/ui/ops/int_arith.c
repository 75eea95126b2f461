// Addition, subtraction, multiplication, division and remainder at every width, wrapping where C defines it.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define EACH(T, FMT, CAST, ...)                                                                                       \
    do {                                                                                                              \
        static const T v[] = {__VA_ARGS__};                                                                           \
        for (size_t i = 0; i < sizeof v / sizeof *v; i++)                                                             \
            for (size_t j = 0; j < sizeof v / sizeof *v; j++) {                                                       \
                T a = v[i], b = v[j];                                                                                 \
                printf(#T " " FMT " " FMT ":", (CAST)a, (CAST)b);                                                     \
                printf(" " FMT " " FMT " " FMT, (CAST)(T)(a + b), (CAST)(T)(a - b), (CAST)(T)(a * b));                \
                if (b)                                                                                                \
                    printf(" " FMT " " FMT, (CAST)(T)(a / b), (CAST)(T)(a % b));                                      \
                putchar('\n');                                                                                        \
            }                                                                                                         \
    } while (0)

int main(void) {
    EACH(uint8_t, "%u", unsigned, 0, 1, 7, 127, 128, 200, 255);
    EACH(int8_t, "%d", int, 0, 1, -1, 7, -7, 11, -128, 127);
    EACH(uint16_t, "%u", unsigned, 0, 1, 300, 0x7fff, 0x8000, 0xb504);
    EACH(int16_t, "%d", int, 0, 1, -1, 123, -123, 181, -181);
    EACH(uint32_t, "%u", unsigned, 0, 1, 3, 0x7fffffff, 0x80000000u, 0xffffffffu, 0x10001);
    EACH(int32_t, "%d", int, 0, 1, -1, 10, -10, 46340, -46340, 9999);
    EACH(uint64_t, "%llu", unsigned long long, 0, 1, 10, UINT64_MAX, 0x8000000000000000u, 0x100000001u);
    EACH(int64_t, "%lld", long long, 0, 1, -1, 1000000007, -1000000007, 3037000499, -3037000499);
    return 0;
}
