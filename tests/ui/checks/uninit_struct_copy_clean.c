// Partly initialised structures may be copied, passed and returned as long as only the set members are used.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record { int id; char tag; double weight; char name[20]; };

static struct record relabel(struct record r) {
    r.id++;
    return r;
}

int main(void) {
    struct record a, b, *heap = malloc(sizeof *heap);
    a.id = 4;
    strcpy(a.name, "ab");
    b = a;
    b = relabel(b);
    *heap = b;
    struct record list[3];
    list[2] = *heap;
    printf("%d %s\n", list[2].id, list[2].name);
    free(heap);
    return 0;
}
