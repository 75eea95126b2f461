// Writes the terminator of a string into a buffer without room for it.
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s) {
    char *r = malloc(strlen(s)); //~ NOTE(allocated here)
    char *to = r;
    while ((*to++ = *s++)) //~ BUG(out-of-bounds)
        ;
    return r;
}

int main(void) {
    free(copy("hello"));
    return 0;
}
