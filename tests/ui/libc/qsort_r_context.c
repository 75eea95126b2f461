// qsort_r passes its context on.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int by_table(const void *a, const void *b, void *table) {
    const int *t = table;
    return t[*(const unsigned char *)a] - t[*(const unsigned char *)b];
}

int main(void) {
    unsigned char idx[] = {0, 1, 2, 3, 4, 5};
    int weights[] = {50, 10, 40, 20, 60, 30};
    qsort_r(idx, 6, 1, by_table, weights);
    for (int i = 0; i < 6; i++)
        printf("%d ", idx[i]);
    puts("");
    return 0;
}
