// Reads one element past a heap array.
#include <stdlib.h>

int main(void) {
    int n = 4, sum = 0;
    int *v = malloc(n * sizeof *v); //~ NOTE(allocated here)
    for (int i = 0; i < n; i++)
        v[i] = i;
    for (int i = 0; i <= n; i++)
        sum += v[i]; //~ BUG(out-of-bounds)
    free(v);
    return sum;
}
