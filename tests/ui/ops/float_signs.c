// Negative zero, NaN sign and payload as bits, copysign, and the min/max rules.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double x) {
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

int main(void) {
    volatile double zero = 0.0, nan_in;
    uint64_t payload = 0x7ff8dead00000001;
    memcpy((void *)&nan_in, &payload, sizeof payload);
    printf("%016llx %016llx %016llx\n", (unsigned long long)bits(-zero), (unsigned long long)bits(zero * -1), (unsigned long long)bits(0 - zero));
    printf("%016llx %016llx\n", (unsigned long long)bits(-nan_in), (unsigned long long)bits(fabs(-nan_in)));
    printf("%016llx %016llx\n", (unsigned long long)bits(copysign(3.0, -zero)), (unsigned long long)bits(copysign(nan_in, -1.0)));
    printf("%g %g %g %g\n", 1 / zero, 1 / -zero, fmin(nan_in, 2.0), fmax(-3.0, nan_in));
    printf("%d %d %d\n", zero == -zero, signbit(-zero) != 0, memcmp(&(double){0.0}, &(double){-0.0}, sizeof(double)) != 0);
    float f = -0.0f;
    printf("%g %g %d\n", f + 0.0f, f - 0.0f, (int)f);
    return 0;
}
