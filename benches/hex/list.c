// P1: a doubly linked list, a ring through a header node, with its size.
#include "subject.h"

#ifndef LIMIT
#define LIMIT 5 // elements of the longest list, where inputs are bounded by `small`
#endif

struct entry {
  int value;
  struct entry *next, *prev;
};

struct list {
  struct entry *header;
  unsigned size;
};

// The back links end the walk on any heap: an entry that it met again would have two predecessors.
int ok(const struct list *s) {
  if (!s || !s->header)
    return 0;
  const struct entry *e = s->header;
  unsigned n = 0;
  do {
    if (!e->next || e->next->prev != e)
      return 0;
    e = e->next;
    if (e != s->header)
      n++;
  } while (e != s->header);
  return n == s->size;
}

int small(const struct list *s) { return s && s->size <= LIMIT && ok(s); }

// The same for a heap that is partly decided. A second pointer at half the speed ends the walk where back links are open.
int maybe_ok(const struct list *s) {
  if (!spelunk_is_decided(s))
    return 1;
  if (!s)
    return 0;
  if (!spelunk_is_decided(s->header))
    return 1;
  if (!s->header)
    return 0;
  const struct entry *e = s->header;
  const struct entry *slow = e;
  unsigned n = 0;
  for (unsigned step = 0;; step++) {
    if (!spelunk_is_decided(e->next))
      return 1;
    if (!e->next || (spelunk_is_decided(e->next->prev) && e->next->prev != e))
      return 0;
    e = e->next;
    if (e == s->header)
      return n == s->size;
    if (e == slow)
      return 0;
    if (step % 2)
      slow = slow->next;
    n++;
  }
}

// For heaps whose shape is valid: the size is what is known of the ring, or at least that. It is decided from both ends.
int numbers_ok(const struct list *s) {
  if (!spelunk_is_decided(s) || !spelunk_is_decided(s->header))
    return 1;
  const struct entry *front = s->header;
  unsigned n = 0;
  for (; spelunk_is_decided(front->next); front = front->next) {
    if (front->next == s->header)
      return s->size == n;
    n++;
  }
  for (const struct entry *back = s->header; spelunk_is_decided(back->prev); back = back->prev) {
    if (back->prev == front)
      return s->size == n;
    n++;
  }
  return s->size >= n;
}

static void insert_before(struct list *s, struct entry *at, int value) {
  struct entry *e = malloc(sizeof *e);
  if (!e)
    abort();
  e->value = value;
  e->next = at;
  e->prev = at->prev;
  at->prev->next = e;
  at->prev = e;
  s->size++;
}

static int remove_entry(struct list *s, struct entry *e) {
  int value = e->value;
  e->prev->next = e->next;
  e->next->prev = e->prev;
  free(e);
  s->size--;
  return value;
}

int add_first(struct list *s, int x) {
  insert_before(s, s->header->next, x);
  return 1;
}

int add_last(struct list *s, int x) {
  insert_before(s, s->header, x);
  return 1;
}

int remove_first(struct list *s, int otherwise) {
  return s->header->next == s->header ? otherwise : remove_entry(s, s->header->next);
}

int remove_last(struct list *s, int otherwise) {
  return s->header->prev == s->header ? otherwise : remove_entry(s, s->header->prev);
}

int first(struct list *s, int otherwise) { return s->size == 0 ? otherwise : s->header->next->value; }

int last(struct list *s, int otherwise) { return s->size == 0 ? otherwise : s->header->prev->value; }

int contains(struct list *s, int x) {
  for (struct entry *e = s->header->next; e != s->header; e = e->next) {
    if (e->value == x)
      return 1;
  }
  return 0;
}

// From the end: the last of those that are equal goes.
int remove_value(struct list *s, int x) {
  for (struct entry *e = s->header->prev; e != s->header; e = e->prev) {
    if (e->value == x) {
      remove_entry(s, e);
      return 1;
    }
  }
  return 0;
}

int clear(struct list *s, int unused) {
  (void)unused;
  for (struct entry *e = s->header->next, *next; e != s->header; e = next) {
    next = e->next;
    free(e);
  }
  s->header->next = s->header->prev = s->header;
  s->size = 0;
  return 1;
}

#define PAIR_OF(a, b) PAIR(struct list *s, a, b)
#define PAIRS(a)                                                                                                       \
  PAIR_OF(a, add_first)                                                                                                \
  PAIR_OF(a, add_last)                                                                                                 \
  PAIR_OF(a, remove_first)                                                                                             \
  PAIR_OF(a, remove_last)                                                                                              \
  PAIR_OF(a, first) PAIR_OF(a, last) PAIR_OF(a, contains) PAIR_OF(a, remove_value) PAIR_OF(a, clear)

PAIRS(add_first)
PAIRS(add_last)
PAIRS(remove_first)
PAIRS(remove_last)
PAIRS(first)
PAIRS(last)
PAIRS(contains)
PAIRS(remove_value)
PAIRS(clear)

#ifdef SELFTEST
static void check(struct list *s) {
  EXPECT(ok(s));
  EXPECT(maybe_ok(s));
  EXPECT(numbers_ok(s));
  REFUSED(s->size, s->size + 1);
  REFUSED(s->header, NULL);
  OPEN(s->header);
  struct entry other = {0, s->header, s->header};
  struct entry *e = s->header;
  do {
    struct entry *values[] = {NULL, e, s->header, s->header->next, &other};
    for (int i = 0; i < 5; i++) {
      if (e->next != values[i])
        REFUSED(e->next, values[i]);
      if (e->prev != values[i])
        REFUSED(e->prev, values[i]);
    }
    OPEN(e->next);
    OPEN(e->prev);
    WITH(e->next, UNDECIDED, OPEN(e->prev); OPEN(s->header->prev));
    // Known from both ends, with a gap between them.
    if (e != s->header)
      WITH(e->next, UNDECIDED, WITH(s->header->prev->prev, UNDECIDED, WITH(s->size, 0, EXPECT(!numbers_ok(s)))));
    e = e->next;
  } while (e != s->header);
}

int main(void) {
  struct entry *header = malloc(sizeof *header);
  *header = (struct entry){0, header, header};
  struct list list = {header, 0};
  struct list *s = &list;
  int (*operations[])(struct list *, int) = {add_first, add_last,     remove_first, remove_last, first, last,
                                             contains,  remove_value, add_first,    add_last,    clear};
  for (int i = 0; i < 3000; i++) {
    check(s);
    operations[next_random() % (i % 100 ? 10 : 11)](s, next_random() % 8);
  }
  EXPECT(add_first(s, 77) && first(s, 0) == 77 && contains(s, 77) && remove_value(s, 77) + 1 == 2);
  EXPECT(add_last(s, 78) && last(s, 0) == 78 && remove_last(s, 0) == 78 && clear(s, 0) && remove_first(s, 5) == 5);
  EXPECT(add_first_then_last(s, 9, 0) == 10);
  check(s);
  clear(s, 0);
  free(header);
  return 0;
}
#endif
