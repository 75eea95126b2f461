// Returns the address of a local array.
#include <stdio.h>

static char *name(int i) {
    char buf[16];
    sprintf(buf, "item%d", i);
    char *p = buf;
    return p;
}

int main(void) {
    char *s = name(3);
    return s[0]; //~ BUG(use-after-return)
}
