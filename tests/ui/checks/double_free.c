// Frees one block twice.
#include <stdlib.h>

int main(void) {
    char *p = malloc(10); //~ NOTE(allocated here)
    char *q = p;
    free(p); //~ NOTE(freed here)
    free(q); //~ BUG(double-free)
    return 0;
}
