// realloc of a block that is free already.
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    free(p); //~ NOTE(freed here)
    p = realloc(p, 20); //~ BUG(double-free)
    free(p);
    return 0;
}
