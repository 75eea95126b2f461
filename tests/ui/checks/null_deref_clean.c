// Tests the pointer before reading; address arithmetic on a null member is not an access.
#include <stddef.h>
#include <stdio.h>

struct node { struct node *next; int key, value; };

static struct node *find(struct node *n, int key) {
    while (n && n->key != key)
        n = n->next;
    return n;
}

int main(void) {
    struct node a = {NULL, 1, 10}, b = {&a, 2, 20}, *p = find(&b, 3);
    printf("%d %d %zu\n", p ? p->value : -1, find(&b, 1)->value, offsetof(struct node, value));
    int *none = NULL;
    printf("%d\n", &*none == NULL);
    return 0;
}
