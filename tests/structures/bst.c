// A binary search tree without balance, that knows its size.
//
// trial: entry=tree_insert assume=tree_small ensure=tree_ok expect=clean branches=95 unreachable=1
// trial: entry=tree_remove assume=tree_small ensure=tree_ok check=leak expect=clean branches=95
// trial: entry=tree_find assume=tree_small ensure=tree_ok expect=clean branches=95
// trial: entry=tree_max assume=tree_small ensure=tree_ok expect=clean branches=95
// trial: entry=tree_floor assume=tree_small ensure=tree_ok expect=clean branches=95
// trial: entry=tree_count_range assume=tree_small ensure=tree_ok expect=clean branches=95
// trial: entry=tree_depth assume=tree_small ensure=tree_ok expect=clean branches=95
// trial: entry=tree_insert assume=tree_ok ensure=tree_ok depth=40 expect=clean
//
// trial: entry=tree_insert assume=tree_small ensure=tree_ok fault=COMPARE expect=ensure
// trial: entry=tree_remove assume=tree_small ensure=tree_ok fault=LOST_SUBTREE expect=ensure
// trial: entry=tree_remove assume=tree_small ensure=tree_ok fault=DANGLING expect=ensure
// trial: entry=tree_max assume=tree_small ensure=tree_ok fault=NULL_CHECK expect=null-deref at=rightmost
#include <limits.h>
#include <stdlib.h>

#ifndef LIMIT
#define LIMIT 4 // keys of the largest tree that a trial starts from
#endif

struct tnode {
  int key;
  struct tnode *left, *right;
};

struct tree {
  struct tnode *root;
  unsigned n;
};

// All keys lie strictly between the bounds, which are disjoint for different subtrees: a node that is met twice fails.
static int subtree_ok(const struct tnode *t, long low, long high, unsigned *left) {
  if (!t)
    return 1;
  if (*left == 0 || t->key <= low || t->key >= high)
    return 0;
  --*left;
  return subtree_ok(t->left, low, t->key, left) && subtree_ok(t->right, t->key, high, left);
}

int tree_ok(const struct tree *t) {
  if (!t)
    return 0;
  unsigned left = t->n;
  return subtree_ok(t->root, (long)INT_MIN - 1, (long)INT_MAX + 1, &left) && left == 0;
}

int tree_small(const struct tree *t) { return (!t || t->n <= LIMIT) && tree_ok(t); }

// The link that points to the node with this key, or to where it would be.
static struct tnode **find_link(struct tree *t, int key) {
  struct tnode **link = &t->root;
  while (*link && (*link)->key != key) {
#ifdef FAULT_COMPARE
    link = key - (*link)->key < 0 ? &(*link)->left : &(*link)->right;
#else
    link = key < (*link)->key ? &(*link)->left : &(*link)->right;
#endif
  }
  return link;
}

// Returns whether the key is new.
int tree_insert(struct tree *t, int key) {
  struct tnode **link = find_link(t, key);
  if (*link)
    return 0;
  struct tnode *p = malloc(sizeof *p);
  if (!p)
    abort();
  p->key = key;
  p->left = p->right = NULL;
  *link = p;
  t->n++;
  return 1;
}

// A node with two children takes the key of its successor, which is removed in its place.
int tree_remove(struct tree *t, int key) {
  struct tnode **link = find_link(t, key);
  struct tnode *p = *link;
  if (!p)
    return 0;
  if (p->left && p->right) {
    link = &p->right;
    while ((*link)->left)
      link = &(*link)->left;
    p->key = (*link)->key;
    p = *link;
  }
#ifdef FAULT_LOST_SUBTREE
  *link = p->left;
#elif defined FAULT_DANGLING
  if (p->left || p->right)
    *link = p->left ? p->left : p->right;
#else
  *link = p->left ? p->left : p->right;
#endif
  free(p);
  t->n--;
  return 1;
}

int tree_find(const struct tree *t, int key) {
  const struct tnode *p = t->root;
  while (p && p->key != key)
    p = key < p->key ? p->left : p->right;
  return p != NULL;
}

// The greatest key, or the given one in an empty tree.
int tree_max(const struct tree *t, int otherwise) {
  const struct tnode *p = t->root;
#ifndef FAULT_NULL_CHECK
  if (!p)
    return otherwise;
#endif
  while (p->right) //~ rightmost
    p = p->right;
  return p->key;
}

// The greatest key that is at most the given one, or the other number if there is none.
int tree_floor(const struct tree *t, int key, int otherwise) {
  int best = otherwise;
  for (const struct tnode *p = t->root; p;) {
    if (p->key == key)
      return key;
    if (p->key < key) {
      best = p->key;
      p = p->right;
    } else {
      p = p->left;
    }
  }
  return best;
}

static unsigned count_range(const struct tnode *t, int from, int to) {
  if (!t)
    return 0;
  unsigned n = 0;
  if (from < t->key)
    n += count_range(t->left, from, to);
  if (from <= t->key && t->key <= to)
    n++;
  if (t->key < to)
    n += count_range(t->right, from, to);
  return n;
}

unsigned tree_count_range(const struct tree *t, int from, int to) { return count_range(t->root, from, to); }

static unsigned depth(const struct tnode *t) {
  if (!t)
    return 0;
  unsigned left = depth(t->left);
  unsigned right = depth(t->right);
  return 1 + (left > right ? left : right);
}

unsigned tree_depth(const struct tree *t) { return depth(t->root); }
