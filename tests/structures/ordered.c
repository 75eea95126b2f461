// A sorted list and a search tree of keys that are pointers, ordered by address.
//
// trial: entry=list_find assume=list_sorted nesting=4 expect=clean paths=16
// trial: entry=tree_insert assume=tree_ok ensure=tree_ok_after expect=clean branches=100 unreachable=3
// trial: entry=tree_take_least assume=tree_ok ensure=tree_ok_after check=leak expect=clean branches=100 unreachable=2
//
// Unreachable are, in the postcondition, a root that is null, which the precondition excludes, and that it is false, which would be
// a bug; and in tree_insert that there is no memory.
#include <stdlib.h>

struct cell {
  void *key;
  struct cell *next;
};

int list_sorted(struct cell *l) {
  for (int n = 0; l && l->next; l = l->next)
    if (++n > 2 || !(l->key < l->next->key))
      return 0;
  return 1;
}

int list_find(struct cell *l, void *key) {
  for (; l; l = l->next) {
    if (l->key == key)
      return 1;
    if (l->key > key)
      return 0;
  }
  return 0;
}

struct tree {
  void *key;
  struct tree *parent, *left, *right;
};

struct root {
  struct tree *top;
};

static int subtree_ok(struct tree *t, struct tree *parent, void **below, void **above, int depth) {
  if (!t)
    return 1;
  if (depth == 0 || t->parent != parent)
    return 0;
  if ((below && !(t->key > *below)) || (above && !(t->key < *above)))
    return 0;
  return subtree_ok(t->left, t, below, &t->key, depth - 1) && subtree_ok(t->right, t, &t->key, above, depth - 1);
}

int tree_ok(struct root *r) {
  return r && subtree_ok(r->top, NULL, NULL, NULL, 2);
}

int tree_ok_after(struct root *r) {
  return r && subtree_ok(r->top, NULL, NULL, NULL, 3);
}

int tree_insert(struct root *r, void *key) {
  struct tree **at = &r->top, *parent = NULL;
  while (*at) {
    if ((*at)->key == key)
      return 0;
    parent = *at;
    at = key < parent->key ? &parent->left : &parent->right;
  }
  struct tree *t = calloc(1, sizeof *t);
  if (!t)
    return 0;
  t->key = key;
  t->parent = parent;
  *at = t;
  return 1;
}

void *tree_take_least(struct root *r) {
  struct tree **at = &r->top;
  if (!*at)
    return NULL;
  while ((*at)->left)
    at = &(*at)->left;
  struct tree *least = *at;
  void *key = least->key;
  *at = least->right;
  if (least->right)
    least->right->parent = least->parent;
  free(least);
  return key;
}
