// Takes the successor first.
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; int v; };

int main(void) {
    struct node *head = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){head, i};
        head = n;
    }
    for (struct node *n = head, *next; n; n = next) {
        next = n->next;
        sum += n->v;
        free(n);
    }
    printf("%d\n", sum);
    return 0;
}
