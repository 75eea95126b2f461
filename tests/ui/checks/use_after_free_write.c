// Writes into a buffer after another function freed it.
#include <stdlib.h>

static void finish(char *p) {
    free(p); //~ NOTE(freed here)
}

int main(void) {
    char *p = calloc(4, 4); //~ NOTE(allocated here)
    finish(p);
    p[3] = 'x'; //~ BUG(use-after-free)
    return 0;
}
