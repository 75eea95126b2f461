// explore: --entry ring_touch --assume ring_small
// pointers: 0 / 8
#define LIMIT 3
#include "../structures/ring.c"

int ring_touch(const struct ring *r) { return r->n > 0; }

#ifdef ENUMERATE
#define TYPE struct rnode
#define POINTERS 1
#define POINTER(object, i) (&(object).next)
#define ROOT struct ring
#define ROOTS 1
#define ROOT_POINTER(root, i) (&(root).last)
#define VALID ring_small
#define PREPARE(round) (root.n = (unsigned)(round), (round) <= OBJECTS)
#include "enumerate.h"
#endif
