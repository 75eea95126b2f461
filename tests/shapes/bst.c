// explore: --entry tree_touch --assume tree_small
// pointers: 0 / 8 16
#define LIMIT 3
#include "../structures/bst.c"

int tree_touch(const struct tree *t) { return t->n > 0; }

#ifdef ENUMERATE
#define TYPE struct tnode
#define POINTERS 2
#define POINTER(object, i) ((i) ? &(object).right : &(object).left)
#define ROOT struct tree
#define ROOTS 1
#define ROOT_POINTER(root, i) (&(root).root)
#define VALID tree_small
#define PREPARE(round) prepare(round)
static int prepare(int round);
#include "enumerate.h"

// Each number of nodes with each choice of three keys.
static int prepare(int round) {
  root.n = (unsigned)round % 4;
  int keys = round / 4;
  for (int i = 0; i < OBJECTS; i++, keys /= 3)
    objects[i].key = keys % 3;
  return keys == 0;
}
#endif
