// Stops at the start.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = malloc(8);
    strcpy(line, "   ");
    char *end = line + strlen(line);
    while (end > line && end[-1] == ' ')
        end--;
    *end = 0;
    printf("[%s]\n", line);
    free(line);
    return 0;
}
