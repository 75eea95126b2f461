// Walks of a doubly linked list that ends at null on both sides, of up to 5 nodes. Each is explored once for every length,
// whichever end it begins at.
//
// trial: entry=forward hex=hex_dlist.hex objects=dnode=5 audit=shape_ok paths=6 expect=clean
// trial: entry=backward hex=hex_dlist.hex objects=dnode=5 audit=shape_ok paths=6 expect=clean
// trial: entry=shape_ok hex=hex_dlist.hex objects=dnode=5 audit=shape_ok paths=6 expect=clean
// trial: entry=inward hex=hex_dlist.hex objects=dnode=5 audit=shape_ok paths=6 expect=clean
// trial: entry=backward_with_next hex=hex_dlist.hex objects=dnode=5 audit=shape_ok paths=6 expect=clean
// trial: entry=in_turns hex=hex_dlist.hex objects=dnode=5 audit=shape_ok paths=6 expect=clean
//
// Without rules: for a list of i nodes the next is null, new or one of those, and the walk ends only at null.
// trial: entry=shape_ok heap=lazy objects=dnode=5 param=l=nonnull paths=60 expect=clean
#include <stddef.h>

typedef struct dnode {
  int value;
  struct dnode *prev, *next;
} dnode;

struct dlist {
  dnode *head, *tail;
  unsigned n;
};

int forward(const struct dlist *l) {
  int n = 0;
  for (const dnode *p = l->head; p; p = p->next)
    n++;
  return n;
}

int backward(const struct dlist *l) {
  int n = 0;
  for (const dnode *p = l->tail; p; p = p->prev)
    n++;
  return n;
}

// `dlist_ok` of dlist.c without the number.
int shape_ok(const struct dlist *l) {
  if (!l)
    return 0;
  const dnode *prev = NULL;
  for (const dnode *p = l->head; p; p = p->next) {
    if (p->prev != prev)
      return 0;
    prev = p;
  }
  if (l->tail != prev)
    return 0;
  return 1;
}

// From both ends, until they meet.
int inward(const struct dlist *l) {
  const dnode *front = l->head, *back = l->tail;
  int n = 0;
  while (front && front != back && front->next != back) {
    front = front->next;
    back = back->prev;
    n++;
  }
  return n;
}

// All references, those that lead onward last.
int backward_with_next(const struct dlist *l) {
  const dnode *next = NULL;
  for (const dnode *p = l->tail; p; p = p->prev) {
    if (p->next != next)
      return 0;
    next = p;
  }
  if (l->head != next)
    return 0;
  return 1;
}

// One step from the back for every two from the front, and all of it once more.
int in_turns(const struct dlist *l) {
  const dnode *front = l->head, *back = l->tail;
  for (int i = 0; front || back; i++) {
    if (front)
      front = front->next;
    if (back && i % 2)
      back = back->prev;
  }
  return shape_ok(l);
}
