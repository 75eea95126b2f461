// Reads a member after the node was freed, the classic list bug.
#include <stdlib.h>

struct node { struct node *next; int v; };

static struct node *push(struct node *head, int v) {
    struct node *n = malloc(sizeof *n); //~ NOTE(allocated here)
    n->next = head;
    n->v = v;
    return n;
}

int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++)
        head = push(head, i);
    for (struct node *n = head; n; n = n->next) //~ BUG(use-after-free)
        free(n); //~ NOTE(freed here)
    return 0;
}
