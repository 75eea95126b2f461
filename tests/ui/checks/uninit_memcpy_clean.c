// Bytes without value are moved, swapped and grown but never looked at.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void swap(void *a, void *b, size_t n) {
    for (unsigned char *x = a, *y = b, t; n--; x++, y++) {
        t = *x;
        *x = *y;
        *y = t;
    }
}

int main(void) {
    int a[4], b[4];
    a[0] = 1;
    b[3] = 2;
    swap(a, b, sizeof a);
    memmove(a + 1, a, 3 * sizeof *a);
    char *p = malloc(100), *q = malloc(200);
    p[50] = 'p';
    memcpy(q + 10, p, 100);
    q = realloc(q, 5000);
    printf("%d %c\n", b[0], q[60]);
    free(p);
    free(q);
    return 0;
}
