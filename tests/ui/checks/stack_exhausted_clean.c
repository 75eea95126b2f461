// Deep recursion that ends in time.
#include <stdio.h>

static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }

int main(void) {
    printf("%d\n", down(20000));
    return 0;
}
