// The caller owns the buffer; addresses of locals are passed down, not up.
#include <stdio.h>

static char *name(int i, char *buf, size_t n) {
    snprintf(buf, n, "item%d", i);
    return buf;
}

int main(void) {
    char buf[16];
    puts(name(3, buf, sizeof buf));
    return 0;
}
