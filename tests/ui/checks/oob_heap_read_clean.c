// Reads every element of a heap array and compares with the end pointer.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 4, sum = 0;
    int *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    for (int *p = v; p != v + n; p++)
        sum += *p;
    free(v);
    printf("%d\n", sum);
    return 0;
}
