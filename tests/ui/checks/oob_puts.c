// Printing a string that never ends.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *s = malloc(5);
    memcpy(s, "hello", 5);
    printf("%s\n", s); //~ BUG(out-of-bounds)
    free(s);
    return 0;
}
