// Tag bits in aligned pointers, pointers kept as integers, xor-linked lists, byte-wise pointer copies.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { uintptr_t link; int v; };

static void *untag(uintptr_t p) { return (void *)(p & ~(uintptr_t)7); }

int main(void) {
    long *cell = malloc(sizeof *cell);
    *cell = 42;
    uintptr_t tagged = (uintptr_t)cell | 5;
    printf("%ld %d\n", *(long *)untag(tagged), (int)(tagged & 7));
    struct node n[4];
    for (int i = 0; i < 4; i++) {
        uintptr_t prev = i ? (uintptr_t)&n[i - 1] : 0, next = i < 3 ? (uintptr_t)&n[i + 1] : 0;
        n[i] = (struct node){prev ^ next, i * 11};
    }
    uintptr_t prev = 0, at = (uintptr_t)&n[0];
    while (at) {
        struct node *p = (struct node *)at;
        printf("%d ", p->v);
        uintptr_t next = p->link ^ prev;
        prev = at;
        at = next;
    }
    unsigned char bytes[sizeof cell];
    for (size_t i = 0; i < sizeof cell; i++)
        bytes[i] = ((unsigned char *)&cell)[i];
    long *copy;
    memcpy(&copy, bytes, sizeof copy);
    printf("%ld %d %d\n", *copy, copy == cell, (int)((uintptr_t)cell % 16));
    int diff = (int)((uintptr_t)&n[3] - (uintptr_t)&n[1]);
    uint32_t half = (uint32_t)(uintptr_t)cell;
    uintptr_t whole = (uintptr_t)cell >> 32 << 32 | half;
    printf("%d %d\n", diff, *(long *)whole == 42);
    free(cell);
    return 0;
}
