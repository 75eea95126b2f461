// A binary search tree: N random keys inserted, walked, freed. Pointers chased, one allocation a node.

#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *left, *right;
  unsigned key;
};

static struct node *insert(struct node *tree, unsigned key) {
  struct node **link = &tree;
  while (*link) {
    if (key == (*link)->key)
      return tree;
    link = key < (*link)->key ? &(*link)->left : &(*link)->right;
  }
  struct node *node = malloc(sizeof *node);
  if (!node)
    abort();
  *node = (struct node){.key = key};
  *link = node;
  return tree;
}

static unsigned long sum_and_free(struct node *tree, unsigned depth) {
  if (!tree)
    return 0;
  unsigned long sum = (unsigned long)tree->key * depth;
  sum += sum_and_free(tree->left, depth + 1) + sum_and_free(tree->right, depth + 1);
  free(tree);
  return sum;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 0;
  unsigned long sum = 0;
  unsigned seed = 7;
  // Trees of a size that stays in the cache: the machine's memory is not what is measured.
  for (int done = 0; done < count; done += 2000) {
    struct node *tree = NULL;
    for (int i = 0; i < 2000; i++) {
      seed = seed * 1664525u + 1013904223u;
      tree = insert(tree, seed >> 8);
    }
    sum += sum_and_free(tree, 1);
  }
  printf("%lu\n", sum);
  return 0;
}
