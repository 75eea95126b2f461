// Frees a string literal that stood in for an allocated string.
#include <stdlib.h>

static char *title(int known) { return known ? malloc(4) : "none"; }

int main(void) {
    free(title(1));
    free(title(0)); //~ BUG(bad-free)
    return 0;
}
