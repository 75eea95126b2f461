// Walks of a doubly linked ring with a header, of up to 5 data nodes. Each is explored once for every length.
//
// trial: entry=forward hex=hex_ring.hex objects=node=6 audit=ring_ok paths=6 expect=clean
// trial: entry=backward hex=hex_ring.hex objects=node=6 audit=ring_ok paths=6 expect=clean
// trial: entry=ring_ok hex=hex_ring.hex objects=node=6 audit=ring_ok paths=6 expect=clean
// trial: entry=there_and_back hex=hex_ring.hex objects=node=6 audit=ring_ok paths=6 expect=clean
// trial: entry=ends hex=hex_ring.hex objects=node=6 audit=ring_ok paths=3 expect=clean
// trial: entry=unlink_last hex=hex_ring.hex objects=node=6 audit=ring_ok paths=3 expect=clean
//
// Without rules. The walks are left out: on most heaps they have no end.
// trial: entry=ends heap=lazy objects=node=6 param=h=nonnull paths=8 expect=null-deref at=last
// trial: entry=unlink_last heap=lazy objects=node=6 param=h=nonnull paths=16 expect=null-deref at=next
//
// Sizes are numbers, which a check says: one input for each size that the walk can tell from the others.
// trial: entry=count_to hex=hex_sized.hex objects=node=4 audit=sized_ok paths=4 expect=clean
#include <spelunk.h>
#include <stdlib.h>

typedef struct node {
  int value;
  struct node *next, *prev;
} node;

int forward(const node *h) {
  int n = 0;
  for (const node *p = h->next; p != h; p = p->next)
    n++;
  return n;
}

int backward(const node *h) {
  int n = 0;
  for (const node *p = h->prev; p != h; p = p->prev)
    n++;
  return n;
}

// A node that the walk meets again would need two predecessors, so that the back links end it on any input.
int ring_ok(const node *h) {
  if (!h)
    return 0;
  const node *p = h;
  do {
    if (!p->next || p->next->prev != p)
      return 0;
    p = p->next;
  } while (p != h);
  return 1;
}

int there_and_back(const node *h) { return forward(h) - backward(h); }

int ends(const node *h) { return h->next->value < h->prev->value; } //~ last

int unlink_last(node *h) {
  node *t = h->prev;
  if (t == h)
    return 0;
  node *before = t->prev, *after = t->next;
  before->next = after;
  after->prev = before; //~ next
  return 1;
}

struct sized {
  node *h;
  unsigned n;
};

int sized_ok(const struct sized *s) { return s && ring_ok(s->h) && (unsigned)forward(s->h) == s->n; }

int size_ok(const struct sized *s) {
  unsigned n = 0;
  const node *p = s->h;
  while (spelunk_is_decided(p->next)) {
    if (p->next == s->h)
      return s->n == n;
    p = p->next;
    n++;
  }
  return s->n >= n;
}

// Believes the number: without the check it would run around the ring.
int count_to(const struct sized *s) {
  const node *p = s->h;
  for (unsigned i = 0; i < s->n; i++) {
    p = p->next;
    spelunk_assert(p != s->h);
  }
  spelunk_assert(p->next == s->h);
  return 0;
}
