// Under -fwrapv signed arithmetic wraps by definition, and the check has nothing to say.
// cflags: -fwrapv
// check: signed-overflow
#include <limits.h>
#include <stdio.h>

int main(void) {
    volatile int n = INT_MAX;
    n = n + 1;
    printf("%d %d\n", n, n - 1);
    return 0;
}
