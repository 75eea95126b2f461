// A red-black tree with parent pointers: insertion, deletion, and its invariants checked after every step.
#include <stdio.h>
#include <stdlib.h>

enum colour { RED, BLACK };
struct node { struct node *left, *right, *parent; int key; enum colour colour; };

static struct node nil_node = {&nil_node, &nil_node, &nil_node, 0, BLACK}, *const nil = &nil_node, *root = &nil_node;

static void replace(struct node *old, struct node *new) {
    if (old->parent == nil)
        root = new;
    else if (old->parent->left == old)
        old->parent->left = new;
    else
        old->parent->right = new;
    new->parent = old->parent;
}

static void rotate_left(struct node *x) {
    struct node *y = x->right;
    x->right = y->left;
    if (y->left != nil)
        y->left->parent = x;
    replace(x, y);
    y->left = x;
    x->parent = y;
}

static void rotate_right(struct node *x) {
    struct node *y = x->left;
    x->left = y->right;
    if (y->right != nil)
        y->right->parent = x;
    replace(x, y);
    y->right = x;
    x->parent = y;
}

static void insert(int key) {
    struct node *parent = nil, **link = &root;
    while (*link != nil) {
        parent = *link;
        if (key == parent->key)
            return;
        link = key < parent->key ? &parent->left : &parent->right;
    }
    struct node *n = malloc(sizeof *n);
    *n = (struct node){nil, nil, parent, key, RED};
    *link = n;
    while (n->parent->colour == RED) {
        struct node *p = n->parent, *g = p->parent;
        int is_left = p == g->left;
        struct node *uncle = is_left ? g->right : g->left;
        if (uncle->colour == RED) {
            p->colour = uncle->colour = BLACK;
            g->colour = RED;
            n = g;
            continue;
        }
        if (n == (is_left ? p->right : p->left)) {
            n = p;
            (is_left ? rotate_left : rotate_right)(n);
            p = n->parent;
        }
        p->colour = BLACK;
        g->colour = RED;
        (is_left ? rotate_right : rotate_left)(g);
    }
    root->colour = BLACK;
}

static void fix_delete(struct node *x) {
    while (x != root && x->colour == BLACK) {
        struct node *p = x->parent;
        int is_left = x == p->left;
        void (*toward)(struct node *) = is_left ? rotate_left : rotate_right, (*away)(struct node *) = is_left ? rotate_right : rotate_left;
        struct node *s = is_left ? p->right : p->left;
        if (s->colour == RED) {
            s->colour = BLACK;
            p->colour = RED;
            toward(p);
            s = is_left ? p->right : p->left;
        }
        struct node *far = is_left ? s->right : s->left, *near = is_left ? s->left : s->right;
        if (far->colour == BLACK && near->colour == BLACK) {
            s->colour = RED;
            x = p;
            continue;
        }
        if (far->colour == BLACK) {
            near->colour = BLACK;
            s->colour = RED;
            away(s);
            s = is_left ? p->right : p->left;
            far = is_left ? s->right : s->left;
        }
        s->colour = p->colour;
        p->colour = far->colour = BLACK;
        toward(p);
        x = root;
    }
    x->colour = BLACK;
}

static int discard(int key) {
    struct node *n = root;
    while (n != nil && n->key != key)
        n = key < n->key ? n->left : n->right;
    if (n == nil)
        return 0;
    struct node *child;
    enum colour gone = n->colour;
    if (n->left == nil || n->right == nil) {
        child = n->left == nil ? n->right : n->left;
        replace(n, child);
    } else {
        struct node *next = n->right;
        while (next->left != nil)
            next = next->left;
        gone = next->colour;
        child = next->right;
        if (next->parent == n) {
            child->parent = next;
        } else {
            replace(next, child);
            next->right = n->right;
            next->right->parent = next;
        }
        replace(n, next);
        next->left = n->left;
        next->left->parent = next;
        next->colour = n->colour;
    }
    free(n);
    if (gone == BLACK)
        fix_delete(child);
    return 1;
}

/* The black height of a valid subtree; exits when an invariant is broken. */
static int check(const struct node *n, int min, int max) {
    if (n == nil)
        return 1;
    int l = check(n->left, min, n->key), r = check(n->right, n->key, max);
    if (n->key <= min || n->key >= max || l != r || (n->colour == RED && (n->left->colour == RED || n->right->colour == RED))) {
        printf("broken at %d\n", n->key);
        exit(1);
    }
    return l + (n->colour == BLACK);
}

static int count(const struct node *n) { return n == nil ? 0 : 1 + count(n->left) + count(n->right); }

int main(void) {
    unsigned seed = 7;
    int removed = 0;
    for (int i = 0; i < 400; i++) {
        seed = seed * 1103515245 + 12345;
        int key = (int)(seed >> 16) % 200;
        if (i % 3 == 2)
            removed += discard(key);
        else
            insert(key);
        check(root, -1, 1000);
    }
    printf("%d %d %d\n", count(root), removed, check(root, -1, 1000));
    while (root != nil)
        printf("%d ", root->key), discard(root->key), check(root, -1, 1000);
    puts("");
    return 0;
}
