// Intrusive lists: pointers lead to links that are part of items, and a new link is a new item around it. `container_of` finds the
// item's value, which is input as everything else.
//
// trial: entry=sum hex=hex_intrusive.hex objects=item=3 expect=clean paths=4
// trial: entry=largest hex=hex_intrusive.hex objects=item=3 expect=clean paths=15
// trial: entry=push hex=hex_intrusive.hex objects=item=3 expect=clean
// trial: entry=find hex=hex_intrusive.hex objects=item=2 expect=assert at=found
// trial: entry=first_value hex=hex_intrusive_ring.hex objects=item=3 expect=clean paths=2
// trial: entry=first_value hex=hex_intrusive_ring.hex objects=item=3 fault=EMPTY_CHECK expect=out-of-bounds at=first
// trial: entry=total hex=hex_intrusive_ring.hex objects=item=3 expect=clean paths=4
// trial: entry=both_ends hex=hex_intrusive_ring.hex objects=item=3 expect=clean paths=3
// trial: entry=rotate hex=hex_intrusive_ring.hex objects=item=3 expect=clean
// trial: entry=walk hex=hex_intrusive_head.hex objects=item=3 expect=clean paths=4
// trial: entry=walk hex=hex_intrusive_head.hex objects=item=3 fault=HEAD_IS_NO_ITEM expect=out-of-bounds at=value
#include <spelunk.h>
#include <stddef.h>

#define container_of(member_ptr, type, member) ((type *)((char *)(member_ptr) - offsetof(type, member)))

struct link {
  struct link *next, *prev;
};

struct item {
  int value;
  struct link link;
  int weight;
};

struct stack {
  struct link *first;
};

struct queue {
  struct link head;
  unsigned n;
};

static struct item *item_of(const struct link *l) { return container_of(l, struct item, link); }

long sum(const struct stack *s) {
  long all = 0;
  for (const struct link *l = s->first; l; l = l->next)
    all += item_of(l)->value;
  return all;
}

int largest(const struct stack *s) {
  int best = 0;
  for (const struct link *l = s->first; l; l = l->next) {
    if (item_of(l)->value > best)
      best = item_of(l)->value;
  }
  return best;
}

// The new item is none of those that are there.
void push(struct stack *s, struct item *x) {
  if (!x)
    return;
  x->link.next = s->first;
  s->first = &x->link;
  spelunk_assert(item_of(s->first)->weight == x->weight);
}

int find(const struct stack *s, int value) {
  int n = 0;
  for (const struct link *l = s->first; l; l = l->next, n++) {
    if (item_of(l)->value == value && item_of(l)->weight == 77)
      spelunk_assert(n < 1); //~ found
  }
  return n;
}

int first_value(const struct queue *q) {
#ifndef FAULT_EMPTY_CHECK
  if (q->head.next == &q->head)
    return 0;
#endif
  return item_of(q->head.next)->value; //~ first
}

long total(const struct queue *q) {
  long all = 0;
  for (const struct link *l = q->head.next; l != &q->head; l = l->next) {
    spelunk_assert(l->prev->next == l && l->next->prev == l);
    all += item_of(l)->value + item_of(l)->weight;
  }
  return all;
}

// None, one, or more.
int both_ends(const struct queue *q) {
  if (q->head.next == &q->head) {
    spelunk_assert(q->head.prev == &q->head);
    return 0;
  }
  return item_of(q->head.next) == item_of(q->head.prev) ? 1 : 2;
}

// The first becomes the last.
void rotate(struct queue *q) {
  struct link *l = q->head.next;
  if (l == &q->head)
    return;
  int value = item_of(l)->value;
  q->head.next = l->next;
  l->next->prev = &q->head;
  l->prev = q->head.prev;
  l->next = &q->head;
  q->head.prev->next = l;
  q->head.prev = l;
  spelunk_assert(item_of(q->head.prev)->value == value);
}

// The header is a link that is part of nothing.
long walk(const struct link *head) {
  long all = 0;
  const struct link *l = head;
  do {
#ifdef FAULT_HEAD_IS_NO_ITEM
    all += item_of(l)->value; //~ value
#else
    if (l != head)
      all += item_of(l)->value;
#endif
    l = l->next;
  } while (l != head);
  return all;
}
