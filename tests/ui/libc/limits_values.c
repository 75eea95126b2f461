// The constants of <limits.h>, <float.h> and <stdint.h>, and sizes of the basic types.
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
    printf("%d %d %d %d %d %u\n", CHAR_BIT, SCHAR_MIN, UCHAR_MAX, CHAR_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u %ld %lu %lld %llu\n", INT_MIN, INT_MAX, UINT_MAX, LONG_MIN, ULONG_MAX, LLONG_MAX, ULLONG_MAX);
    printf("%d %d %d %a %a %a %d %d\n", FLT_RADIX, DBL_DIG, DBL_MANT_DIG, DBL_MAX, DBL_MIN, DBL_EPSILON, FLT_DIG, LDBL_MANT_DIG);
    printf("%a %a %La\n", FLT_MAX, FLT_EPSILON, LDBL_EPSILON);
    printf("%jd %ju %zu %td\n", INTMAX_MIN, UINTMAX_MAX, SIZE_MAX, PTRDIFF_MAX);
    printf("%zu %zu %zu %zu %zu %zu %zu\n", sizeof(int_fast16_t), sizeof(int_least8_t), sizeof(wchar_t), sizeof(max_align_t), sizeof(void *), sizeof(size_t), sizeof(long double));
    return 0;
}
