// Members to their ends, the address behind the last element, and members that are as long as their memory, with the check on.
// check: member-bounds
#include <stdio.h>
#include <stdlib.h>

struct record {
    char name[4];
    int flag;
    int tail[];
};

int main(void) {
    struct record *r = malloc(sizeof *r + 3 * sizeof(int));
    volatile int three = 3;
    for (int i = 0; i <= three; i++)
        r->name[i] = 'a';
    char *end = &r->name[three + 1];
    for (int i = 0; i < three; i++)
        r->tail[i] = i;
    printf("%d %d\n", (int)(end - r->name), r->tail[2]);
    free(r);
    return 0;
}
