// A red-black tree with parent pointers. Where a child or the root's parent is missing stands the tree's own sentinel,
// a black node embedded in the tree, so that valid inputs are full of pointers into the first argument.
//
// trial: entry=rb_insert assume=rb_small ensure=rb_ok expect=clean branches=95 unreachable=3
// trial: entry=rb_remove assume=rb_small ensure=rb_ok check=leak expect=clean branches=95
// trial: entry=rb_find assume=rb_small ensure=rb_ok expect=clean branches=95
// trial: entry=rb_next assume=rb_owns_small ensure=rb_ok expect=clean branches=95
// trial: entry=rb_black_height assume=rb_small ensure=rb_ok expect=clean branches=95
// trial: entry=rb_insert assume=rb_ok ensure=rb_ok depth=50 expect=clean
//
// trial: entry=rb_insert assume=rb_small ensure=rb_ok fault=ROTATION expect=null-deref at=inner
// trial: entry=rb_insert assume=rb_small ensure=rb_ok fault=RECOLOR expect=ensure
// trial: entry=rb_insert assume=rb_small ensure=rb_ok fault=RED_ROOT expect=ensure
// trial: entry=rb_remove assume=rb_small ensure=rb_ok fault=WRONG_COLOR expect=null-deref at=nephews
// trial: entry=rb_remove assume=rb_small ensure=rb_ok fault=PARENT expect=ensure
// trial: entry=rb_remove assume=rb_small ensure=rb_ok fault=SENTINEL expect=null-deref at=sibling
#include <limits.h>
#include <stdlib.h>

#ifndef LIMIT
#define LIMIT 6 // keys of the largest tree that a trial starts from
#endif

enum color { RED, BLACK };

struct rbnode {
  int key;
  enum color color;
  struct rbnode *parent, *left, *right;
};

struct rbtree {
  struct rbnode *root;
  struct rbnode nil;
  unsigned n;
};

// The number of black nodes on every way down, or -1. Parent pointers and the bounds of keys refuse whatever is shared.
static int black_height(const struct rbtree *t, const struct rbnode *p, const struct rbnode *parent, long low,
                        long high, unsigned *left) {
  if (p == &t->nil)
    return 0;
  if (!p || *left == 0 || p->parent != parent)
    return -1;
  --*left;
  if (p->key <= low || p->key >= high)
    return -1;
  if (p->color != BLACK && (p->color != RED || parent->color != BLACK))
    return -1;
  int left_height = black_height(t, p->left, p, low, p->key, left);
  if (left_height < 0 || black_height(t, p->right, p, p->key, high, left) != left_height)
    return -1;
  return left_height + (p->color == BLACK);
}

int rb_ok(const struct rbtree *t) {
  if (!t || !t->root || t->nil.color != BLACK || t->root->color != BLACK)
    return 0;
  unsigned left = t->n;
  return black_height(t, t->root, &t->nil, (long)INT_MIN - 1, (long)INT_MAX + 1, &left) >= 0 && left == 0;
}

int rb_small(const struct rbtree *t) { return (!t || t->n <= LIMIT) && rb_ok(t); }

static const struct rbnode *find(const struct rbtree *t, int key) {
  const struct rbnode *p = t->root;
  while (p != &t->nil && p->key != key)
    p = key < p->key ? p->left : p->right;
  return p;
}

// For operations on a node of the tree.
int rb_owns_small(const struct rbtree *t, const struct rbnode *p) {
  return p && rb_small(t) && p != &t->nil && find(t, p->key) == p;
}

// Puts another node, which may be the sentinel, where p hangs.
static void replace(struct rbtree *t, struct rbnode *p, struct rbnode *by) {
  if (p->parent == &t->nil)
    t->root = by;
  else if (p == p->parent->left)
    p->parent->left = by;
  else
    p->parent->right = by;
#ifdef FAULT_SENTINEL
  if (by != &t->nil)
#endif
    by->parent = p->parent;
}

static void rotate_left(struct rbtree *t, struct rbnode *p) {
  struct rbnode *top = p->right;
  p->right = top->left;
#ifndef FAULT_PARENT
  if (top->left != &t->nil)
    top->left->parent = p; //~ inner
#endif
  replace(t, p, top);
  top->left = p;
  p->parent = top;
}

static void rotate_right(struct rbtree *t, struct rbnode *p) {
  struct rbnode *top = p->left;
  p->left = top->right;
  if (top->right != &t->nil)
    top->right->parent = p;
  replace(t, p, top);
  top->right = p;
  p->parent = top;
}

// Repairs a red node below a red parent.
static void fix_insert(struct rbtree *t, struct rbnode *p) {
  while (p->parent->color == RED) {
    struct rbnode *grand = p->parent->parent;
    int on_left = p->parent == grand->left;
    struct rbnode *uncle = on_left ? grand->right : grand->left;
    if (uncle->color == RED) {
      p->parent->color = uncle->color = BLACK;
#ifndef FAULT_RECOLOR
      grand->color = RED;
#endif
      p = grand;
    } else if (on_left) {
      if (p == p->parent->right) {
        p = p->parent;
        rotate_left(t, p);
      }
      p->parent->color = BLACK;
      grand->color = RED;
      rotate_right(t, grand);
    } else {
      if (p == p->parent->left) {
        p = p->parent;
#ifdef FAULT_ROTATION
        rotate_left(t, p);
#else
        rotate_right(t, p);
#endif
      }
      p->parent->color = BLACK;
      grand->color = RED;
      rotate_left(t, grand);
    }
  }
#ifndef FAULT_RED_ROOT
  t->root->color = BLACK;
#endif
}

// Returns whether the key is new.
int rb_insert(struct rbtree *t, int key) {
  struct rbnode *parent = &t->nil;
  struct rbnode **link = &t->root;
  while (*link != &t->nil) {
    parent = *link;
    if (key == parent->key)
      return 0;
    link = key < parent->key ? &parent->left : &parent->right;
  }
  struct rbnode *p = malloc(sizeof *p);
  if (!p)
    abort();
  p->key = key;
  p->color = RED;
  p->parent = parent;
  p->left = p->right = &t->nil;
  *link = p;
  t->n++;
  fix_insert(t, p);
  return 1;
}

// Repairs a subtree at p that lacks one black node; p may be the sentinel, whose parent is set for that.
static void fix_remove(struct rbtree *t, struct rbnode *p) {
  while (p != t->root && p->color == BLACK) {
    struct rbnode *parent = p->parent;
    int on_left = p == parent->left; //~ sibling
    struct rbnode *sibling = on_left ? parent->right : parent->left;
    if (sibling->color == RED) {
      sibling->color = BLACK;
      parent->color = RED;
      if (on_left)
        rotate_left(t, parent);
      else
        rotate_right(t, parent);
      sibling = on_left ? parent->right : parent->left;
    }
    struct rbnode *near = on_left ? sibling->left : sibling->right;
    struct rbnode *far = on_left ? sibling->right : sibling->left;
    if (near->color == BLACK && far->color == BLACK) { //~ nephews
      sibling->color = RED;
      p = parent;
      continue;
    }
    if (far->color == BLACK) {
      near->color = BLACK;
      sibling->color = RED;
      if (on_left)
        rotate_right(t, sibling);
      else
        rotate_left(t, sibling);
      far = sibling;
      sibling = near;
    }
    sibling->color = parent->color;
    parent->color = far->color = BLACK;
    if (on_left)
      rotate_left(t, parent);
    else
      rotate_right(t, parent);
    p = t->root;
  }
  p->color = BLACK;
}

int rb_remove(struct rbtree *t, int key) {
  struct rbnode *p = (struct rbnode *)find(t, key);
  if (p == &t->nil)
    return 0;
  if (p->left != &t->nil && p->right != &t->nil) {
    struct rbnode *successor = p->right;
    while (successor->left != &t->nil)
      successor = successor->left;
    p->key = successor->key;
    p = successor;
  }
  struct rbnode *child = p->left != &t->nil ? p->left : p->right;
  replace(t, p, child);
#ifdef FAULT_WRONG_COLOR
  if (p->color == RED)
#else
  if (p->color == BLACK)
#endif
    fix_remove(t, child);
  free(p);
  t->n--;
  return 1;
}

int rb_find(const struct rbtree *t, int key) { return find(t, key) != &t->nil; }

// The node with the next greater key, or NULL.
const struct rbnode *rb_next(const struct rbtree *t, const struct rbnode *p) {
  if (p->right != &t->nil) {
    p = p->right;
    while (p->left != &t->nil)
      p = p->left;
    return p;
  }
  const struct rbnode *child = p;
  for (p = p->parent; p != &t->nil && child == p->right; p = p->parent)
    child = p;
  return p != &t->nil ? p : NULL;
}

unsigned rb_black_height(const struct rbtree *t) {
  unsigned height = 0;
  for (const struct rbnode *p = t->root; p != &t->nil; p = p->left)
    height += p->color == BLACK;
  return height;
}
