// Integer conversions: flags, width, precision, every length modifier, star arguments.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    const int v[] = {0, 1, -1, 42, -12345, INT_MAX, INT_MIN};
    for (int i = 0; i < 7; i++) {
        printf("[%d][%i][%5d][%-8d][%05d][%+d][% d][%.3d][%8.5d][%-+9.4d]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
        unsigned u = (unsigned)v[i];
        printf("[%u][%o][%#o][%x][%#x][%X][%#X][%012x][%#010x][%-12x][%.10x]\n", u, u, u, u, u, u, u, u, u, u, u);
    }
    printf("[%.0d][%.0u][%5.0d][%.d]\n", 0, 0u, 0, 0);
    printf("[%hhd][%hhu][%hd][%hu][%ld][%lu][%lld][%llu]\n", (signed char)-3, (unsigned char)250, (short)-300, (unsigned short)65000, LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX);
    printf("[%zu][%zd][%td][%jd][%ju]\n", (size_t)5, (ptrdiff_t)-5, (ptrdiff_t)-6, (intmax_t)-7, (uintmax_t)8);
    printf("[%*d][%-*d][%.*d][%*.*d]\n", 6, 42, 6, 42, 4, 42, 8, 3, 42);
    printf("[%*d][%.*d]\n", -6, 42, -1, 42);
    printf("[%hhd][%hd]\n", 300, 70000);
    printf("[%" PRId8 "][%" PRIu16 "][%" PRIx32 "][%" PRId64 "][%" PRIxPTR "]\n", (int8_t)-1, (uint16_t)65535, (uint32_t)0xdeadbeef, INT64_MIN, (uintptr_t)255);
    printf("[%'d][%#.3x][%+.2i][%0-5d]\n", 1234567, 5, 3, 7);
    return 0;
}
