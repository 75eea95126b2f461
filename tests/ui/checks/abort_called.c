// The program gives up.
#include <stdio.h>
#include <stdlib.h>

static void panic(const char *why) {
    fprintf(stderr, "%s\n", why);
    abort(); //~ BUG(abort)
}

int main(void) {
    panic("no way out");
    return 0;
}
