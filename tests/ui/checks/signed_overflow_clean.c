// Unsigned wrap-around, narrow conversions and extremes reached without overflow, with the check on.
// check: signed-overflow
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    unsigned u = UINT_MAX;
    int8_t c = 127;
    u += 2;
    c++;
    size_t z = 0;
    z--;
    long long big = LLONG_MAX - 1;
    big++;
    printf("%u %d %zx %lld %d\n", u, c, z, big, INT_MIN + INT_MAX);
    return 0;
}
