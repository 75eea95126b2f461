// Frees a pointer that was never set.
#include <stdlib.h>

int main(void) {
    char *p;
    free(p); //~ BUG(uninitialised)
    return 0;
}
