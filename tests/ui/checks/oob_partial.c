// An access that begins inside the object and ends outside.
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    *(int *)(p + 4) = 7;
    *(int *)(p + 8) = 7; //~ BUG(out-of-bounds)
    free(p);
    return 0;
}
