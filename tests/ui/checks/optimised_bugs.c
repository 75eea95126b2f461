// These faults survive the optimiser, because the compiler cannot see the sizes.
// configs: O0,O1,O2,clang16-O0
// args: 7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static int at(const int *v, int i) {
    return v[i]; //~ BUG(out-of-bounds)
}

int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    int *v = malloc(4 * sizeof *v);
    memset(v, 0, 4 * sizeof *v);
    printf("%d\n", at(v, n));
    free(v);
    return 0;
}
