// Assertions that hold, with side effects.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 0;
    assert(++n == 1);
    static_assert(sizeof(char) == 1, "bytes");
    printf("%d\n", n);
    return 0;
}
