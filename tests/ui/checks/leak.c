// The only pointer to a block is overwritten; found when asked for.
// check: leak
#include <stdlib.h>

static char *name;

static void set(int size) {
    name = malloc((size_t)size); //~ BUG(leak)
}

int main(void) {
    set(10);
    name = 0;
    return 0;
}
