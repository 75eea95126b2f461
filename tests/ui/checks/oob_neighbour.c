// A write far enough past one heap object to land where another lies.
#include <stdlib.h>

int main(void) {
    char *a = calloc(1, 16), *b = calloc(1, 16), *c = calloc(1, 4096);
    a[1000] = 1; //~ BUG(out-of-bounds)
    free(a);
    free(b);
    free(c);
    return 0;
}
