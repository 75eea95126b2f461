// Red-black trees with a sentinel, walked as a whole: shapes by rules, numbers by a check. One that says everything as one condition
// leaves a path for each shape; one that branches on colors has a path for each coloring, which is the price of such checks.
//
// trial: entry=walk hex=hex_rbtree.hex objects=rbnode=3 audit=rb_ok paths=5 expect=clean
// trial: entry=walk hex=hex_rbtree.hex objects=rbnode=6 audit=rb_ok paths=27 expect=clean
// trial: entry=walk hex=hex_rbtree_branches.hex objects=rbnode=3 audit=rb_ok paths=6 expect=clean
// trial: entry=walk hex=hex_rbtree_branches.hex objects=rbnode=6 audit=rb_ok paths=34 expect=clean
// trial: entry=rb_insert hex=hex_rbtree.hex objects=rbnode=3 audit=rb_ok ensure=rb_ok expect=clean
// trial: entry=rb_insert hex=hex_rbtree.hex objects=rbnode=3 fault=ROTATION expect=null-deref
// trial: entry=rb_insert hex=hex_rbtree.hex objects=rbnode=3 audit=rb_ok check=termination paths=34 expect=clean
#include <spelunk.h>

typedef struct rbnode rbnode;

// A tree of which a part is open has some number of nodes that can be built.
#define LARGEST 64

#include "rbtree.c"

static int count(const struct rbtree *t, const rbnode *p) {
  return p == &t->nil ? 0 : 1 + count(t, p->left) + count(t, p->right);
}

int walk(const struct rbtree *t) { return count(t, t->root); }

struct known {
  const struct rbtree *t;
  unsigned n;
  int is_open;
  int height; // black nodes above the first sentinel that was met, if there is one
  int has_height;
};

// Whether some way down ends in what is decided.
static int has_leaf(const struct known *k, const rbnode *p) {
  return spelunk_is_decided(p) && (p == &k->t->nil || has_leaf(k, p->left) || has_leaf(k, p->right));
}

// As one number, whatever the colors are.
static int numbers(struct known *k, const rbnode *p, int is_below_red, long low, long high, int height) {
  if (!spelunk_is_decided(p)) {
    k->is_open = 1;
    return !k->has_height || height <= k->height;
  }
  if (p == &k->t->nil)
    return height == k->height;
  k->n++;
  int is_red = p->color == RED, is_black = p->color == BLACK;
  int here = (low < p->key) & (p->key < high) & (is_black | (is_red & !is_below_red));
  int left = numbers(k, p->left, is_red, low, p->key, height + is_black);
  int right = numbers(k, p->right, is_red, p->key, high, height + is_black);
  return here & left & right;
}

int rb_numbers(const struct rbtree *t) {
  struct known k = {t, 0, 0, 0, 0};
  k.has_height = has_leaf(&k, t->root);
  for (const rbnode *p = t->root; k.has_height && p != &t->nil; p = has_leaf(&k, p->left) ? p->left : p->right)
    k.height += p->color == BLACK;
  int tree = numbers(&k, t->root, 1, (long)INT_MIN - 1, (long)INT_MAX + 1, 0);
  return tree & (t->nil.color == BLACK) & (k.is_open ? (t->n >= k.n) & (t->n < LARGEST) : t->n == k.n);
}

// The same by cases.
static int cases(struct known *k, const rbnode *p, int is_below_red, long low, long high, int height) {
  if (!spelunk_is_decided(p)) {
    k->is_open = 1;
    return !k->has_height || height <= k->height;
  }
  if (p == &k->t->nil)
    return height == k->height;
  k->n++;
  if (!((low < p->key) & (p->key < high)))
    return 0;
  if (p->color == RED && is_below_red)
    return 0;
  if (p->color != RED && p->color != BLACK)
    return 0;
  int is_red = p->color == RED;
  return cases(k, p->left, is_red, low, p->key, height + !is_red) &&
         cases(k, p->right, is_red, p->key, high, height + !is_red);
}

int rb_cases(const struct rbtree *t) {
  if (t->nil.color != BLACK)
    return 0;
  struct known k = {t, 0, 0, 0, 0};
  k.has_height = has_leaf(&k, t->root);
  for (const rbnode *p = t->root; k.has_height && p != &t->nil; p = has_leaf(&k, p->left) ? p->left : p->right) {
    if (p->color == BLACK)
      k.height++;
  }
  return cases(&k, t->root, 1, (long)INT_MIN - 1, (long)INT_MAX + 1, 0) &&
         (k.is_open ? t->n >= k.n && t->n < LARGEST : t->n == k.n);
}
