// Makes room for the terminator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s) {
    char *r = malloc(strlen(s) + 1);
    char *to = r;
    while ((*to++ = *s++))
        ;
    return r;
}

int main(void) {
    char *s = copy("hello"), *e = copy("");
    printf("%s %zu\n", s, strlen(e));
    free(s);
    free(e);
    return 0;
}
