// What a global still points to at the end, directly or through other blocks, is no leak.
// check: leak
#include <stdio.h>
#include <stdlib.h>

static struct node { struct node *next; char *text; } *list;

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->text = malloc(5);
        list = n;
    }
    free(malloc(3));
    puts("kept");
    return 0;
}
