// Under NDEBUG nothing is checked and nothing evaluated.
// cflags: -DNDEBUG
#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 0;
    assert(++n == 5);
    printf("%d\n", n);
    return 0;
}
