// malloc, calloc, realloc, aligned_alloc, posix_memalign, reallocarray, malloc_usable_size is at least the size.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = malloc(10);
    strcpy(p, "ten bytes");
    p = realloc(p, 1000);
    printf("%s %d\n", p, malloc_usable_size(p) >= 1000);
    p = realloc(p, 5);
    printf("%.5s %d\n", p, (int)((uintptr_t)p % 16));
    free(p);
    long *z = calloc(100, sizeof *z);
    long sum = 0;
    for (int i = 0; i < 100; i++)
        sum |= z[i];
    free(z);
    void *a = aligned_alloc(256, 512), *b = NULL;
    int r = posix_memalign(&b, 64, 10);
    printf("%ld %d %d %d\n", sum, (int)((uintptr_t)a % 256), r, (int)((uintptr_t)b % 64));
    free(a);
    free(b);
    int *v = reallocarray(NULL, 5, sizeof *v);
    v[4] = 9;
    printf("%d\n", v[4]);
    free(v);
    errno = 0;
    volatile size_t many = SIZE_MAX / 4;
    v = reallocarray(NULL, many, 8);
    printf("%d %d\n", v == NULL, errno == ENOMEM);
    p = malloc(0);
    free(p);
    return 0;
}
