// Freeing null is nothing; each block is freed once.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    free(p);
    p = NULL;
    free(p);
    free(realloc(NULL, 5));
    puts("done");
    return 0;
}
