// explore: --entry any_touch --assume any_small
// pointers: 0 / 0 8
// Every graph of up to three objects with two pointers each.
#include <stddef.h>

struct thing {
  struct thing *left, *right;
};

struct holder {
  struct thing *first;
};

static int meet(struct thing **met, int *n_met, struct thing *to) {
  if (!to)
    return 1;
  for (int i = 0; i < *n_met; i++) {
    if (met[i] == to)
      return 1;
  }
  if (*n_met == 3)
    return 0;
  met[(*n_met)++] = to;
  return 1;
}

int any_small(const struct holder *holder) {
  struct thing *met[3];
  int n_met = 0;
  if (!holder || !meet(met, &n_met, holder->first))
    return 0;
  for (int i = 0; i < n_met; i++) {
    if (!meet(met, &n_met, met[i]->left) || !meet(met, &n_met, met[i]->right))
      return 0;
  }
  return 1;
}

int any_touch(const struct holder *holder) { return holder->first == NULL; }

#ifdef ENUMERATE
#define TYPE struct thing
#define POINTERS 2
#define POINTER(object, i) ((i) ? &(object).right : &(object).left)
#define ROOT struct holder
#define ROOTS 1
#define ROOT_POINTER(root, i) (&(root).first)
#define VALID any_small
#define PREPARE(round) ((round) < 1)
#include "enumerate.h"
#endif
