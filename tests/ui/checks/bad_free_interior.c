// Frees a pointer that was moved on.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = strdup("  padded"); //~ NOTE(allocated here)
    while (*p == ' ')
        p++;
    free(p); //~ BUG(bad-free)
    return 0;
}
