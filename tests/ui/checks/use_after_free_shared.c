// Data of a freed tree is reached through a second owner.
#include <stdlib.h>

struct tree { struct tree *left, *right; int v; };

static void drop(struct tree *t) {
    if (t) {
        drop(t->left); //~ BUG(use-after-free)
        drop(t->right);
        free(t); //~ NOTE(freed here)
    }
}

int main(void) {
    struct tree *leaf = calloc(1, sizeof *leaf), *root = calloc(1, sizeof *root);
    root->left = root->right = leaf;
    drop(root);
    return 0;
}
