// A circular singly linked list, held by its last element so that both ends are at hand.
//
// trial: entry=ring_push_front assume=ring_small ensure=ring_ok expect=clean branches=95 unreachable=1
// trial: entry=ring_push_back assume=ring_small ensure=ring_ok expect=clean branches=95 unreachable=1
// trial: entry=ring_pop_front assume=ring_small ensure=ring_ok expect=clean branches=95 unreachable=1
// trial: entry=ring_remove assume=ring_small ensure=ring_ok check=leak expect=clean branches=95
// trial: entry=ring_rotate assume=ring_small ensure=ring_ok expect=clean branches=95
// trial: entry=ring_find assume=ring_small ensure=ring_ok expect=clean branches=95
// trial: entry=ring_max assume=ring_small ensure=ring_ok expect=clean branches=95
// trial: entry=ring_concat assume=rings_small ensure=rings_apart expect=clean branches=95
// trial: entry=ring_rotate assume=ring_ok ensure=ring_ok depth=30 expect=clean
//
// trial: entry=ring_push_front assume=ring_small ensure=ring_ok fault=SELF_LINK expect=ensure
// trial: entry=ring_pop_front assume=ring_small ensure=ring_ok fault=LAST_ONE expect=ensure
// trial: entry=ring_remove assume=ring_small ensure=ring_ok fault=LAST expect=use-after-free
// trial: entry=ring_max assume=ring_small ensure=ring_ok fault=NULL_CHECK expect=null-deref at=first
// trial: entry=ring_concat assume=rings_small ensure=rings_apart fault=LOST_LINK expect=ensure
#include <stdlib.h>

#ifndef LIMIT
#define LIMIT 4 // elements of the largest ring that a trial starts from
#endif

struct rnode {
  int value;
  struct rnode *next;
};

struct ring {
  struct rnode *last;
  unsigned n;
};

// The walk must come back to where it began. A second pointer at half the speed notices when it circles elsewhere.
int ring_ok(const struct ring *r) {
  if (!r)
    return 0;
  if (!r->last || !r->n)
    return !r->last && !r->n;
  const struct rnode *slow = r->last;
  const struct rnode *p = r->last->next;
  unsigned n = 1;
  for (; p && p != r->last; p = p->next) {
    if (n == r->n || p == slow)
      return 0;
    if (n++ % 2)
      slow = slow->next;
  }
  return p && n == r->n;
}

static int within_limit(const struct ring *r) { return !r || r->n <= LIMIT; }

int ring_small(const struct ring *r) { return within_limit(r) && ring_ok(r); }

// Two rings are the same or have nothing in common.
int rings_apart(const struct ring *a, const struct ring *b) {
  if (!ring_ok(a) || !ring_ok(b) || a == b)
    return 0;
  if (!a->last || !b->last)
    return 1;
  const struct rnode *p = a->last;
  do {
    if (p == b->last)
      return 0;
    p = p->next;
  } while (p != a->last);
  return 1;
}

int rings_small(const struct ring *a, const struct ring *b) {
  return within_limit(a) && within_limit(b) && rings_apart(a, b);
}

void ring_push_front(struct ring *r, int value) {
  struct rnode *p = malloc(sizeof *p);
  if (!p)
    abort();
  p->value = value;
  if (r->last) {
    p->next = r->last->next;
    r->last->next = p;
  } else {
#ifdef FAULT_SELF_LINK
    p->next = NULL;
#else
    p->next = p;
#endif
    r->last = p;
  }
  r->n++;
}

// Behind the last element is before the first one.
void ring_push_back(struct ring *r, int value) {
  ring_push_front(r, value);
  r->last = r->last->next;
}

static void remove_after(struct ring *r, struct rnode *before) {
  struct rnode *p = before->next;
  before->next = p->next;
#ifdef FAULT_LAST_ONE
  if (p == r->last)
    r->last = before;
#elif defined FAULT_LAST
  if (p == before)
    r->last = NULL;
#else
  if (p == before)
    r->last = NULL;
  else if (p == r->last)
    r->last = before;
#endif
  free(p);
  r->n--;
}

// The value of the first element, which is removed, or the given one if there is none.
int ring_pop_front(struct ring *r, int otherwise) {
  if (!r->last)
    return otherwise;
  int value = r->last->next->value;
  remove_after(r, r->last);
  return value;
}

// Removes the first element with this value. Returns whether there was one.
int ring_remove(struct ring *r, int value) {
  struct rnode *before = r->last;
  for (unsigned i = 0; i < r->n; i++) {
    if (before->next->value == value) {
      remove_after(r, before);
      return 1;
    }
    before = before->next;
  }
  return 0;
}

// The element that came k-th becomes the last one.
void ring_rotate(struct ring *r, unsigned k) {
  if (r->n < 2)
    return;
  for (k %= r->n; k > 0; k--)
    r->last = r->last->next;
}

const struct rnode *ring_find(const struct ring *r, int value) {
  const struct rnode *p = r->last;
  if (!p)
    return NULL;
  do {
    p = p->next;
    if (p->value == value)
      return p;
  } while (p != r->last);
  return NULL;
}

// The greatest value, or the given one if there is none.
int ring_max(const struct ring *r, int otherwise) {
#ifndef FAULT_NULL_CHECK
  if (!r->last)
    return otherwise;
#endif
  int max = r->last->value; //~ first
  for (const struct rnode *p = r->last->next; p != r->last; p = p->next) {
    if (p->value > max)
      max = p->value;
  }
  return max;
}

// Moves all elements of the second ring behind those of the first.
void ring_concat(struct ring *to, struct ring *from) {
  if (!from->last)
    return;
  if (to->last) {
    struct rnode *first = to->last->next;
    to->last->next = from->last->next;
#ifndef FAULT_LOST_LINK
    from->last->next = first;
#else
    (void)first;
#endif
  }
  to->last = from->last;
  to->n += from->n;
  from->last = NULL;
  from->n = 0;
}
