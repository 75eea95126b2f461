// Neighbouring objects are only compared for equality.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *a = calloc(1, 16), *b = calloc(1, 16);
    a[15] = 1;
    b[0] = 2;
    printf("%d %d %d\n", a == b, a[15], b[0]);
    free(a);
    free(b);
    return 0;
}
