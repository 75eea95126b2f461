// Frees a function, and nothing else is wrong.
#include <stdlib.h>

static void hook(void) {}

int main(void) {
    void *p = (void *)hook;
    free(p); //~ BUG(bad-free)
    return 0;
}
