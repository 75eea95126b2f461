// PRI and SCN macros both ways, INT*_C constants.
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    int8_t a;
    uint16_t b;
    int32_t c;
    uint64_t d;
    intmax_t e;
    int n = sscanf("-7 65535 -2000000000 18446744073709551615 -5", "%" SCNd8 " %" SCNu16 " %" SCNd32 " %" SCNu64 " %" SCNdMAX, &a, &b, &c, &d, &e);
    printf("%d %" PRId8 " %" PRIu16 " %" PRId32 " %" PRIu64 " %" PRIdMAX "\n", n, a, b, c, d, e);
    printf("%" PRIo8 " %" PRIX64 " %" PRIdFAST32 " %" PRIuLEAST16 "\n", (uint8_t)8, UINT64_C(0xabcdef), (int_fast32_t)-3, (uint_least16_t)9);
    printf("%jd\n", INTMAX_C(1) << 60);
    return 0;
}
