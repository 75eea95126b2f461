// explore: --entry dlist_touch --assume dlist_small
// pointers: 0 8 / 8 16
#define LIMIT 3
#include "../structures/dlist.c"

int dlist_touch(const struct dlist *l) { return l->n > 0; }

#ifdef ENUMERATE
#define TYPE struct dnode
#define POINTERS 2
#define POINTER(object, i) ((i) ? &(object).next : &(object).prev)
#define ROOT struct dlist
#define ROOTS 2
#define ROOT_POINTER(root, i) ((i) ? &(root).tail : &(root).head)
#define VALID dlist_small
#define PREPARE(round) (root.n = (unsigned)(round), (round) <= OBJECTS)
#include "enumerate.h"
#endif
