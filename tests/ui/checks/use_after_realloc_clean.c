// Uses only what realloc returned.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 0, cap = 0, *v = NULL;
    for (int i = 0; i < 100; i++) {
        if (n == cap)
            v = realloc(v, (size_t)(cap = cap ? cap * 2 : 1) * sizeof *v);
        v[n++] = i * i;
    }
    v = realloc(v, 10 * sizeof *v);
    printf("%d %d\n", v[9], cap);
    free(v);
    return 0;
}
