// An XOR-linked list: one word in each node holds both neighbours, so that the list can be walked from either end.
// Its nodes come from a pool in the list itself, which is what lets the invariant tell a link from any other number.
//
// trial: entry=xlist_push_front assume=xlist_ok ensure=xlist_ok expect=clean branches=95
// trial: entry=xlist_push_back assume=xlist_ok ensure=xlist_ok expect=clean branches=95
// trial: entry=xlist_pop_front assume=xlist_ok ensure=xlist_ok expect=clean branches=95 unreachable=1
// trial: entry=xlist_remove assume=xlist_ok ensure=xlist_ok expect=clean branches=95
// trial: entry=xlist_reverse assume=xlist_ok ensure=xlist_ok expect=clean branches=95
// trial: entry=xlist_nth assume=xlist_ok ensure=xlist_ok expect=clean branches=95
// trial: entry=xlist_init assume=xlist_exists ensure=xlist_ok expect=clean branches=95 unreachable=12
//
// trial: entry=xlist_push_front assume=xlist_ok ensure=xlist_ok fault=OLD_END expect=ensure
// trial: entry=xlist_push_back assume=xlist_ok ensure=xlist_ok fault=FULL expect=null-deref at=fresh
// trial: entry=xlist_remove assume=xlist_ok ensure=xlist_ok fault=ONE_SIDE expect=ensure
// trial: entry=xlist_pop_front assume=xlist_ok ensure=xlist_ok fault=OTHER_END expect=ensure
#include <stddef.h>
#include <stdint.h>

#ifndef NODES
#define NODES 4
#endif

struct xnode {
  int value;
  int used;
  uintptr_t link; // the addresses of both neighbours, XORed; that of a missing one is 0
};

struct xlist {
  struct xnode *first, *last;
  struct xnode pool[NODES];
};

static struct xnode *step(const struct xnode *from, const struct xnode *at) {
  return (struct xnode *)(at->link ^ (uintptr_t)from);
}

static int pool_index(const struct xlist *l, const struct xnode *p) {
  for (int i = 0; i < NODES; i++) {
    if (p == &l->pool[i])
      return i;
  }
  return -1;
}

int xlist_exists(const struct xlist *l) { return l != NULL; }

// No address is followed before it is known to be one of the pool's, and none twice.
int xlist_ok(const struct xlist *l) {
  if (!l)
    return 0;
  int seen[NODES] = {0};
  const struct xnode *prev = NULL;
  for (const struct xnode *p = l->first; p;) {
    int i = pool_index(l, p);
    if (i < 0 || seen[i])
      return 0;
    seen[i] = 1;
    const struct xnode *next = step(prev, p);
    prev = p;
    p = next;
  }
  for (int i = 0; i < NODES; i++) {
    if (l->pool[i].used != seen[i])
      return 0;
  }
  return l->last == prev;
}

void xlist_init(struct xlist *l) {
  l->first = l->last = NULL;
  for (int i = 0; i < NODES; i++)
    l->pool[i].used = 0;
}

static struct xnode *take_node(struct xlist *l) {
  for (int i = 0; i < NODES; i++) {
    if (!l->pool[i].used)
      return &l->pool[i];
  }
  return NULL;
}

// Adds a node at one end, which may be either. Returns whether there was room.
static int push(struct xlist *l, struct xnode **end, struct xnode **other_end, int value) {
  struct xnode *p = take_node(l);
#ifndef FAULT_FULL
  if (!p)
    return 0;
#endif
  p->value = value; //~ fresh
  p->used = 1;
  p->link = (uintptr_t)*end;
  if (*end) {
#ifndef FAULT_OLD_END
    (*end)->link ^= (uintptr_t)p;
#endif
  } else {
    *other_end = p;
  }
  *end = p;
  return 1;
}

int xlist_push_front(struct xlist *l, int value) { return push(l, &l->first, &l->last, value); }

int xlist_push_back(struct xlist *l, int value) { return push(l, &l->last, &l->first, value); }

static void unlink_node(struct xlist *l, struct xnode *prev, struct xnode *p) {
  struct xnode *next = step(prev, p);
  if (prev)
    prev->link ^= (uintptr_t)p ^ (uintptr_t)next;
  else
    l->first = next;
#ifdef FAULT_ONE_SIDE
  if (!next)
    l->last = prev;
#elif defined FAULT_OTHER_END
  if (next)
    next->link ^= (uintptr_t)p ^ (uintptr_t)prev;
#else
  if (next)
    next->link ^= (uintptr_t)p ^ (uintptr_t)prev;
  else
    l->last = prev;
#endif
  p->used = 0;
}

// The value of the first element, which is removed, or the given one if there is none.
int xlist_pop_front(struct xlist *l, int otherwise) {
  struct xnode *p = l->first;
  if (!p)
    return otherwise;
  unlink_node(l, NULL, p);
  return p->value;
}

// Removes the first element with this value. Returns whether there was one.
int xlist_remove(struct xlist *l, int value) {
  struct xnode *prev = NULL;
  for (struct xnode *p = l->first; p;) {
    if (p->value == value) {
      unlink_node(l, prev, p);
      return 1;
    }
    struct xnode *next = step(prev, p);
    prev = p;
    p = next;
  }
  return 0;
}

// A list that reads the same links from its other end.
void xlist_reverse(struct xlist *l) {
  struct xnode *first = l->first;
  l->first = l->last;
  l->last = first;
}

// The value with this index, counted from the end if it is negative, or the other number if there is none.
int xlist_nth(const struct xlist *l, int index, int otherwise) {
  const struct xnode *prev = NULL;
  const struct xnode *p = l->first;
  if (index < 0) {
    p = l->last;
    index = -(index + 1);
  }
  while (p && index > 0) {
    const struct xnode *next = step(prev, p);
    prev = p;
    p = next;
    index--;
  }
  return p ? p->value : otherwise;
}
