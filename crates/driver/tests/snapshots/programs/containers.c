// Lists and trees on the heap, recursion, arrays on the stack; addresses are printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int input(void);

struct node {
  struct node *left, *right;
  int key, count;
};

static int n_nodes;

static struct node *insert(struct node *tree, int key) {
  char scratch[24];
  memset(scratch, 'a', sizeof scratch);
  if (!tree) {
    tree = calloc(1, sizeof *tree);
    tree->key = key;
    tree->count = 1;
    n_nodes++;
    return tree;
  }
  if (key < tree->key)
    tree->left = insert(tree->left, key);
  else if (key > tree->key)
    tree->right = insert(tree->right, key);
  else
    tree->count++;
  if (scratch[n_nodes % 24] != 'a')
    abort();
  return tree;
}

static int total(struct node *tree) {
  if (!tree)
    return 0;
  int sum = total(tree->left) + total(tree->right) + tree->count;
  printf("%p counts %d\n", (void *)tree, tree->count);
  free(tree);
  return sum;
}

int main(void) {
  struct node *tree = NULL;
  int kept[6];
  for (int i = 0; i < 6; i++) {
    kept[i] = input() & 7;
    tree = insert(tree, kept[i]);
  }
  int rising = 0;
  for (int i = 1; i < 6; i++)
    if (kept[i] > kept[i - 1])
      rising++;
  printf("rising %d, nodes %d\n", rising, n_nodes);
  printf("total %d\n", total(tree));
  switch (rising) {
  case 0: return 10;
  case 1: return 11;
  case 5: return 15;
  default: return kept[0] == 3 ? 1 : 0;
  }
}
