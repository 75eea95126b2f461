// strtol and its family: bases, prefixes, signs, spaces, ends, overflow and errno; atoi and friends.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void try(const char *s, int base) {
    char *end;
    errno = 0;
    long l = strtol(s, &end, base);
    printf("%s/%d: %ld %td %d", s, base, l, end - s, errno);
    errno = 0;
    unsigned long u = strtoul(s, &end, base);
    printf(" %lu %td %d", u, end - s, errno);
    printf(" %lld %llu\n", strtoll(s, NULL, base), strtoull(s, NULL, base));
}

int main(void) {
    const char *v[] = {"0", "42", "  -17xyz", "+8", "0x1f", "0X", "0755", "0b1", "zz", "-", "", "   ", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "0xfffffffffffffffff", "12 34", "\t\n7"};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        try(v[i], 10);
        try(v[i], 0);
        try(v[i], 16);
        try(v[i], 36);
    }
    try("1012", 2);
    printf("%d %ld %lld %g\n", atoi("-12abc"), atol("  77"), atoll("123456789012"), atof("2.5e3x"));
    printf("%" PRIdMAX " %" PRIuMAX "\n", strtoimax("-5", NULL, 10), strtoumax("ff", NULL, 16));
    return 0;
}
