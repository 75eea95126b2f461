// Several files with statics of the same name, shared globals and an inline function in each.
// files: parts/multi_a.c parts/multi_b.c
#include "parts/multi.h"
#include <stdio.h>

static int secret = 1;
static int step(void) { return secret++; }
int shared = 100;

int main(void) {
    step();
    printf("%d %d %d\n", step(), a_step(), b_step());
    printf("%d %d %d\n", step(), a_step(), b_step());
    struct item i = make_item("x", 3);
    printf("%d %s %d %d\n", shared, i.name, i.n, twice(i.n));
    printf("%d %d %s\n", a_table[1], (int)sizeof(struct item), b_name);
    return 0;
}
