// Reads through a null pointer that a failed search returned.
#include <stddef.h>

struct node { struct node *next; int key, value; };

static struct node *find(struct node *n, int key) {
    while (n && n->key != key)
        n = n->next;
    return n;
}

int main(void) {
    struct node a = {NULL, 1, 10}, b = {&a, 2, 20};
    return find(&b, 3)->value; //~ BUG(null-deref)
}
