// fmemopen and open_memstream.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[] = "12 34 words";
    FILE *f = fmemopen(text, sizeof text - 1, "r");
    int a, b;
    char w[10];
    printf("%d", fscanf(f, "%d %d %9s", &a, &b, w));
    printf(" %d %d %s %d\n", a, b, w, fgetc(f));
    fclose(f);
    char *out;
    size_t n;
    f = open_memstream(&out, &n);
    for (int i = 0; i < 5; i++)
        fprintf(f, "%d,", i * i);
    fclose(f);
    printf("%zu %s\n", n, out);
    free(out);
    return 0;
}
