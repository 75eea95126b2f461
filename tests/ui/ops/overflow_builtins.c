// __builtin_*_overflow: the wrapped result and the flag, also with mixed types.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define TRY(T, FMT, CAST, a, b)                                                                                        \
    do {                                                                                                               \
        T r;                                                                                                           \
        int o = __builtin_add_overflow((T)(a), (T)(b), &r);                                                            \
        printf(#T " + " FMT " %d", (CAST)r, o);                                                                        \
        o = __builtin_sub_overflow((T)(a), (T)(b), &r);                                                                \
        printf(" - " FMT " %d", (CAST)r, o);                                                                           \
        o = __builtin_mul_overflow((T)(a), (T)(b), &r);                                                                \
        printf(" * " FMT " %d\n", (CAST)r, o);                                                                         \
    } while (0)

int main(void) {
    const long long v[] = {0, 1, -1, 100, -100, INT8_MIN, INT8_MAX, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    for (int i = 0; i < 11; i++)
        for (int j = 0; j < 11; j++) {
            TRY(int8_t, "%d", int, v[i], v[j]);
            TRY(uint8_t, "%u", unsigned, v[i], v[j]);
            TRY(int16_t, "%d", int, v[i], v[j]);
            TRY(int32_t, "%d", int, v[i], v[j]);
            TRY(uint32_t, "%u", unsigned, v[i], v[j]);
            TRY(int64_t, "%lld", long long, v[i], v[j]);
            TRY(uint64_t, "%llu", unsigned long long, v[i], v[j]);
        }
    unsigned char narrow;
    int flag = __builtin_mul_overflow(300, -2, &narrow);
    printf("%d %d\n", flag, narrow);
    flag = __builtin_add_overflow(250, 5u, &narrow);
    printf("%d %d\n", flag, narrow);
    unsigned carry;
    printf("%u", __builtin_addc(0xffffffffu, 1u, 1u, &carry));
    printf(" %u\n", carry);
    return 0;
}
