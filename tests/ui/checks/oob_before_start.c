// Reads before the start of a heap object.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = malloc(8);
    strcpy(line, "   ");
    char *end = line + strlen(line);
    while (*--end == ' ') //~ BUG(out-of-bounds)
        ;
    free(line);
    return end[1];
}
