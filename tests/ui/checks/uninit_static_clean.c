// Statics, calloc, partial initialisers and thread-locals are zero without being written.
#include <stdio.h>
#include <stdlib.h>

static int array[5];
static _Thread_local long local;
struct s { int a; char b[10]; void *p; };

int main(void) {
    static double d;
    struct s s = {1}, *h = calloc(1, sizeof *h);
    int part[8] = {1, 2};
    printf("%d %ld %g %d %d %d %d\n", array[3], local, d, s.b[9], s.p == NULL, h->b[4], part[7]);
    free(h);
    return 0;
}
