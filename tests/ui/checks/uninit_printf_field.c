// Prints a member that the initialising function forgot.
#include <stdio.h>

struct config { int width, height, depth; };

static void init(struct config *c) {
    c->width = 80;
    c->height = 25;
}

int main(void) {
    struct config c;
    init(&c);
    printf("%d %d\n", c.width, c.height);
    printf("%d\n", c.depth); //~ BUG(uninitialised)
    return 0;
}
