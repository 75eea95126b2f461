// A sorted list of keys that are pointers, ordered by address.
//
// trial: entry=list_find assume=list_sorted nesting=4 expect=clean paths=16
#include <stddef.h>

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
