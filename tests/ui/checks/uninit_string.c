// Prints a string whose middle was never written.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *s = malloc(4);
    s[0] = 'a';
    s[2] = 'c';
    s[3] = 0;
    puts(s); //~ BUG(uninitialised)
    free(s);
    return 0;
}
