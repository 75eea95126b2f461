// Bit-fields set one by one: each store reads the unset rest of its word.
#include <stdio.h>
#include <stdlib.h>

struct bits { unsigned a : 3, b : 5, c : 11, d : 1; long e : 40; };

int main(void) {
    struct bits x, *h = malloc(sizeof *h);
    x.a = 5;
    x.b = 17;
    x.c = 1000;
    x.d = 1;
    x.e = -5;
    h->c = 99;
    h->a = 2;
    if (h->c == 99 && h->a == 2)
        printf("%u %u %u %u %ld %u\n", x.a, x.b, x.c, x.d, (long)x.e, h->c);
    free(h);
    return 0;
}
