// Padding has no value, and copying it around is no fault.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded { char c; int i; short s; long l; };

static int same(const struct padded *a, const struct padded *b) { return a->c == b->c && a->i == b->i && a->s == b->s && a->l == b->l; }

int main(void) {
    struct padded a, b, *v = malloc(3 * sizeof *v);
    a.c = 1;
    a.i = 2;
    a.s = 3;
    a.l = 4;
    memcpy(&b, &a, sizeof b);
    for (int i = 0; i < 3; i++)
        v[i] = i % 2 ? a : b;
    struct padded *w = realloc(v, 30 * sizeof *v);
    printf("%d\n", same(&w[2], &a) && same(&b, &a));
    free(w);
    return 0;
}
