// A library function reads freed memory.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *s = strdup("text");
    free(s); //~ NOTE(freed here)
    return (int)strlen(s); //~ BUG(use-after-free)
}
