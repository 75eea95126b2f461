// The widest shift allowed, in the wider type.
#include <stdio.h>

static unsigned mask(int bits) { return (unsigned)((1ull << bits) - 1); }

int main(void) {
    int n = 31;
    printf("%u %u %u\n", mask(8), mask(32), 1u << n);
    return 0;
}
