// An AVL tree: each node stores its height, and the heights of siblings differ by at most one.
//
// trial: entry=avl_insert assume=avl_small ensure=avl_ok expect=clean branches=95 unreachable=1
// trial: entry=avl_remove assume=avl_small ensure=avl_ok check=leak expect=clean branches=95
// trial: entry=avl_find assume=avl_small ensure=avl_ok expect=clean branches=95
// trial: entry=avl_min assume=avl_small ensure=avl_ok expect=clean branches=95
// trial: entry=avl_insert assume=avl_ok ensure=avl_ok depth=50 expect=clean
//
// trial: entry=avl_insert assume=avl_small ensure=avl_ok fault=SINGLE_ROTATION expect=ensure
// trial: entry=avl_insert assume=avl_small ensure=avl_ok fault=OFF_BY_ONE expect=ensure
// trial: entry=avl_remove assume=avl_small ensure=avl_ok fault=HEIGHT expect=ensure
// trial: entry=avl_insert assume=avl_small ensure=avl_ok fault=LOST_LINK expect=ensure
#include <limits.h>
#include <stdlib.h>

#ifndef LIMIT
#define LIMIT 3 // height of the tallest tree that a trial starts from
#endif

struct anode {
  int key;
  int height;
  struct anode *left, *right;
};

struct avl {
  struct anode *root;
};

static int height(const struct anode *t) { return t ? t->height : 0; }

static int taller(const struct anode *a, const struct anode *b) {
  return height(a) > height(b) ? height(a) : height(b);
}

// Heights shrink on the way down, so that this ends on any input; keys between disjoint bounds leave nothing shared.
static int subtree_ok(const struct anode *t, long low, long high) {
  if (!t)
    return 1;
  if (t->height < 1 || t->key <= low || t->key >= high)
    return 0;
  int left = height(t->left);
  int right = height(t->right);
  if (left < 0 || left >= t->height || left < t->height - 2)
    return 0;
  if (right < 0 || right >= t->height || right < t->height - 2)
    return 0;
  if (left != t->height - 1 && right != t->height - 1)
    return 0;
  return subtree_ok(t->left, low, t->key) && subtree_ok(t->right, t->key, high);
}

int avl_ok(const struct avl *tree) {
  return tree && subtree_ok(tree->root, (long)INT_MIN - 1, (long)INT_MAX + 1);
}

int avl_small(const struct avl *tree) { return (!tree || height(tree->root) <= LIMIT) && avl_ok(tree); }

static void update_height(struct anode *t) { t->height = 1 + taller(t->left, t->right); }

static struct anode *rotate_right(struct anode *t) {
  struct anode *top = t->left;
#ifndef FAULT_LOST_LINK
  t->left = top->right;
#endif
  top->right = t;
  update_height(t);
  update_height(top);
  return top;
}

static struct anode *rotate_left(struct anode *t) {
  struct anode *top = t->right;
  t->right = top->left;
  top->left = t;
#ifndef FAULT_HEIGHT
  update_height(t);
#endif
  update_height(top);
  return top;
}

// Restores the balance of a node whose subtrees differ by two at most, and returns the root that it has then.
static struct anode *rebalance(struct anode *t) {
#ifdef FAULT_OFF_BY_ONE
  const int allowed = 2;
#else
  const int allowed = 1;
#endif
  int lean = height(t->left) - height(t->right);
  if (lean > allowed) {
#ifndef FAULT_SINGLE_ROTATION
    if (height(t->left->left) < height(t->left->right))
      t->left = rotate_left(t->left);
#endif
    return rotate_right(t);
  }
  if (lean < -allowed) {
    if (height(t->right->right) < height(t->right->left))
      t->right = rotate_right(t->right);
    return rotate_left(t);
  }
  update_height(t);
  return t;
}

static struct anode *insert(struct anode *t, int key, int *added) {
  if (!t) {
    struct anode *p = malloc(sizeof *p);
    if (!p)
      abort();
    p->key = key;
    p->height = 1;
    p->left = p->right = NULL;
    *added = 1;
    return p;
  }
  if (key == t->key)
    return t;
  if (key < t->key)
    t->left = insert(t->left, key, added);
  else
    t->right = insert(t->right, key, added);
  return rebalance(t);
}

// Returns whether the key is new.
int avl_insert(struct avl *tree, int key) {
  int added = 0;
  tree->root = insert(tree->root, key, &added);
  return added;
}

// Takes the node with the least key out of a subtree, and returns what is left of it.
static struct anode *detach_min(struct anode *t, struct anode **min) {
  if (!t->left) {
    *min = t;
    return t->right;
  }
  t->left = detach_min(t->left, min);
  return rebalance(t);
}

static struct anode *delete(struct anode *t, int key, int *removed) {
  if (!t)
    return NULL;
  if (key < t->key) {
    t->left = delete(t->left, key, removed);
    return rebalance(t);
  }
  if (key > t->key) {
    t->right = delete(t->right, key, removed);
    return rebalance(t);
  }
  struct anode *left = t->left;
  struct anode *right = t->right;
  free(t);
  *removed = 1;
  if (!right)
    return left;
  struct anode *min;
  right = detach_min(right, &min);
  min->left = left;
  min->right = right;
  return rebalance(min);
}

int avl_remove(struct avl *tree, int key) {
  int removed = 0;
  tree->root = delete(tree->root, key, &removed);
  return removed;
}

int avl_find(const struct avl *tree, int key) {
  const struct anode *t = tree->root;
  while (t && t->key != key)
    t = key < t->key ? t->left : t->right;
  return t != NULL;
}

// The least key, or the given one in an empty tree.
int avl_min(const struct avl *tree, int otherwise) {
  const struct anode *t = tree->root;
  if (!t)
    return otherwise;
  while (t->left)
    t = t->left;
  return t->key;
}
