// Differences, comparisons, one-past-the-end, void pointers, arrays of arrays, pointers to pointers.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct rec { char c; int v[3]; };

int main(void) {
    int a[10];
    struct rec r[4];
    int *p = &a[2], *end = a + 10;
    for (int i = 0; i < 10; i++)
        a[i] = i * i;
    printf("%td %td %d %d %d\n", end - p, p - end, p < end, p + 8 == end, p[-1]);
    printf("%td %td\n", &r[3] - &r[1], (char *)&r[3].v[1] - (char *)r);
    int m[3][5] = {{0}}, (*row)[5] = m;
    row++;
    (*row)[2] = 7;
    *(*(m + 2) + 4) = 8;
    printf("%d %d %td %zu\n", m[1][2], m[2][4], row - m, sizeof *row);
    const char *words[] = {"alpha", "beta", "gamma", 0}, **w = words;
    while (*++w)
        printf("%s%c", *w, (*w)[1]);
    void *v = p;
    v = (char *)v + sizeof *p;
    uintptr_t u = (uintptr_t)v;
    printf(" %d %d %d\n", *(int *)v, *(int *)(u + 4), (u & 3) == 0);
    ptrdiff_t back = -3;
    p = end;
    int *const q = p + back;
    int last = *--p;
    printf("%d %d %d\n", *q, last, q > a && !(q >= p));
    return 0;
}
