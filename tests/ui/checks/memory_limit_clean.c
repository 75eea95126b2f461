// Much is allocated over time, little at once; an absurd size is refused with null.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile size_t huge = SIZE_MAX / 2;
    for (int i = 0; i < 2000; i++) {
        char *p = malloc(1 << 20);
        p[i] = 1;
        free(p);
    }
    printf("%d %d\n", malloc(huge) == NULL, calloc(huge, 16) == NULL);
    return 0;
}
