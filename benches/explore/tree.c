// A binary search tree: five symbolic keys are inserted, then deleted one after another in the same order.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

#define N 5

struct node {
  int key;
  struct node *left, *right;
};

static struct node *insert(struct node *tree, int key) {
  if (!tree) {
    tree = calloc(1, sizeof *tree);
    tree->key = key;
  } else if (key < tree->key) {
    tree->left = insert(tree->left, key);
  } else if (key > tree->key) {
    tree->right = insert(tree->right, key);
  }
  return tree;
}

static struct node *delete(struct node *tree, int key) {
  if (!tree)
    return 0;
  if (key < tree->key) {
    tree->left = delete(tree->left, key);
  } else if (key > tree->key) {
    tree->right = delete(tree->right, key);
  } else if (tree->left && tree->right) {
    struct node *next = tree->right;
    while (next->left)
      next = next->left;
    tree->key = next->key;
    tree->right = delete(tree->right, next->key);
  } else {
    struct node *only = tree->left ? tree->left : tree->right;
    free(tree);
    return only;
  }
  return tree;
}

int main(void) {
  int keys[N];
  klee_make_symbolic(keys, sizeof keys, "keys");
  struct node *tree = 0;
  for (int i = 0; i < N; i++)
    tree = insert(tree, keys[i]);
  for (int i = 0; i < N; i++)
    tree = delete(tree, keys[i]);
  assert(!tree);
  return 0;
}
