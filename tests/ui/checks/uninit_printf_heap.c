// Prints an element of a heap array that the loop missed.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *v = malloc(4 * sizeof *v);
    for (int i = 0; i < 3; i++)
        v[i] = i;
    printf("%d\n", v[0] + v[3]); //~ BUG(uninitialised)
    free(v);
    return 0;
}
