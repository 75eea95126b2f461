// Whole walks of trees: as many paths as there are trees of up to so many nodes.
//
// trial: entry=count hex=hex_tree.hex objects=tree=3 audit=tree_ok paths=9 expect=clean
// trial: entry=count hex=hex_tree.hex objects=tree=4 audit=tree_ok paths=23 expect=clean
// trial: entry=count hex=hex_tree.hex objects=tree=6 audit=tree_ok paths=197 expect=clean
//
// Two trees that share nothing, of up to one node each; without the rule they may be one.
// trial: entry=compare hex=hex_two_trees.hex objects=tree=2 paths=4 expect=clean
// trial: entry=compare heap=lazy objects=tree=2 paths=5 expect=clean
#include <stddef.h>

typedef struct tree {
  int value;
  struct tree *left, *right;
} tree;

int count(const tree *t) { return t ? 1 + count(t->left) + count(t->right) : 0; }

#define LARGEST 8

// Counts the nodes, each as often as it is met; too many of them are a cycle.
static int nodes_ok(const tree *t, const tree **met, int *n) {
  if (!t)
    return 1;
  for (int i = 0; i < *n; i++) {
    if (met[i] == t)
      return 0;
  }
  if (*n == LARGEST)
    return 0;
  met[(*n)++] = t;
  return nodes_ok(t->left, met, n) && nodes_ok(t->right, met, n);
}

int tree_ok(const tree *t) {
  const tree *met[LARGEST];
  int n = 0;
  return nodes_ok(t, met, &n);
}

// Looks at the roots only.
int compare(const tree *a, const tree *b) {
  int which = 0;
  if (a)
    which += 1;
  if (b)
    which += 2;
  if (a && a == b)
    which += 4;
  return which;
}
