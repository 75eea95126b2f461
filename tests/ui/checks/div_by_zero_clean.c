// Division of floats by zero has a value.
#include <stdio.h>

int main(void) {
    volatile double zero = 0;
    volatile int one = 1;
    printf("%g %d\n", 1 / zero, 7 / one);
    return 0;
}
