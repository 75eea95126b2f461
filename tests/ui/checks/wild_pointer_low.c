// An error number returned as a pointer: near null from below, but nothing lies there.
#include <string.h>

static void *allocate(long error) { return (void *)-error; }

int main(void) {
    char *p = allocate(22);
    if (p)
        memset(p, 0, 4); //~ BUG(wild-pointer)
    return 0;
}
