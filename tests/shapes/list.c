// explore: --entry list_touch --assume list_small
// pointers: 0 / 8
#define LIMIT 3
#include "../structures/list.c"

int list_touch(const struct list *l) { return l->n > 0; }

#ifdef ENUMERATE
#define TYPE struct node
#define POINTERS 1
#define POINTER(object, i) (&(object).next)
#define ROOT struct list
#define ROOTS 1
#define ROOT_POINTER(root, i) (&(root).head)
#define VALID list_small
#define PREPARE(round) (root.n = (unsigned)(round), (round) <= OBJECTS)
#include "enumerate.h"
#endif
