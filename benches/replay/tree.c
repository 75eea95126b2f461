// Counts the places of a key in a tree: a path for each shape and each place of it.

struct tree {
  int key;
  struct tree *left, *right;
};

int count(struct tree *tree, int key, int levels) {
  if (!tree || levels <= 0)
    return 0;
  int here = tree->key == key;
  return here + count(tree->left, key, levels - 1) + count(tree->right, key, levels - 1);
}
