// Frees what was allocated, from every allocator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = strdup("  padded"), *q = p;
    while (*q == ' ')
        q++;
    puts(q);
    free(p);
    free(calloc(3, 3));
    free(aligned_alloc(64, 128));
    void *m;
    if (posix_memalign(&m, 32, 100) == 0)
        free(m);
    free(strndup("abcdef", 3));
    return 0;
}
