// P4: a circular doubly linked list that keeps some of the nodes it removed in a cache, to use them again.
#include "subject.h"

#ifndef LIMIT
#define LIMIT 4 // nodes of the largest list and its cache, where inputs are bounded by `small`
#endif

struct node {
  int value;
  struct node *next, *prev;
};

// The cache is chained through `next` and ends at null; its nodes have no `prev`.
struct list {
  struct node *header;
  unsigned size;
  struct node *cache;
  unsigned n_cached, max_cached;
};

// Back links end the first walk on any heap, the number of nodes the second one. Nodes with and without a `prev` are not shared.
int ok(const struct list *s) {
  if (!s || !s->header)
    return 0;
  const struct node *p = s->header;
  unsigned n = 0;
  do {
    if (!p->next || p->next->prev != p)
      return 0;
    p = p->next;
    if (p != s->header)
      n++;
  } while (p != s->header);
  if (n != s->size || s->n_cached > s->max_cached)
    return 0;
  unsigned n_cached = 0;
  for (p = s->cache; p; p = p->next) {
    if (p->prev || n_cached == s->n_cached)
      return 0;
    n_cached++;
  }
  return n_cached == s->n_cached;
}

int small(const struct list *s) { return s && s->size <= LIMIT && s->n_cached <= LIMIT - s->size && ok(s); }

// The same for a heap that is partly decided. A second pointer at half the speed ends the walks where links are open.
int maybe_ok(const struct list *s) {
  if (!spelunk_is_decided(s))
    return 1;
  if (!s || s->n_cached > s->max_cached)
    return 0;
  if (spelunk_is_decided(s->header)) {
    if (!s->header)
      return 0;
    const struct node *p = s->header, *slow = p;
    unsigned n = 0;
    while (spelunk_is_decided(p->next)) {
      if (!p->next || (spelunk_is_decided(p->next->prev) && p->next->prev != p))
        return 0;
      p = p->next;
      if (p == s->header)
        break;
      if (p == slow)
        return 0;
      if (n++ % 2)
        slow = slow->next;
    }
    if (spelunk_is_decided(p->next) && n != s->size)
      return 0;
  }
  const struct node *p = s->cache, *slow = p;
  unsigned n = 0;
  for (; spelunk_is_decided(p) && p; p = p->next) {
    if (spelunk_is_decided(p->prev) && p->prev)
      return 0;
    if (n && p == slow)
      return 0;
    if (n++ % 2)
      slow = slow->next;
  }
  return spelunk_is_decided(p) ? n == s->n_cached : n <= s->n_cached;
}

static int ring_numbers(const struct list *s) {
  const struct node *front = s->header;
  unsigned n = 0;
  if (!spelunk_is_decided(front))
    return 1;
  for (; spelunk_is_decided(front->next); front = front->next) {
    if (front->next == s->header)
      return s->size == n;
    n++;
  }
  for (const struct node *back = s->header; spelunk_is_decided(back->prev); back = back->prev) {
    if (back->prev == front)
      return s->size == n;
    n++;
  }
  return s->size >= n;
}

// For heaps whose shape is valid: the numbers are what is known of ring and cache, or at least that.
int numbers_ok(const struct list *s) {
  if (!spelunk_is_decided(s))
    return 1;
  unsigned n = 0;
  const struct node *p = s->cache;
  for (; spelunk_is_decided(p) && p; p = p->next)
    n++;
  int cache = spelunk_is_decided(p) ? s->n_cached == n : s->n_cached >= n;
  return ring_numbers(s) & cache & (s->n_cached <= s->max_cached);
}

static struct node *new_node(struct list *s) {
  struct node *p = s->cache;
  if (s->n_cached == 0) {
    p = malloc(sizeof *p);
    if (!p)
      abort();
    return p;
  }
  s->cache = p->next;
  s->n_cached--;
  return p;
}

static void insert_before(struct list *s, struct node *at, int value) {
  struct node *p = new_node(s);
  p->value = value;
  p->next = at;
  p->prev = at->prev;
  at->prev->next = p;
  at->prev = p;
  s->size++;
}

static int remove_node(struct list *s, struct node *p) {
  int value = p->value;
  p->prev->next = p->next;
  p->next->prev = p->prev;
  s->size--;
  if (s->n_cached >= s->max_cached) {
    free(p);
    return value;
  }
  p->value = 0;
  p->prev = NULL;
  p->next = s->cache;
  s->cache = p;
  s->n_cached++;
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
  return s->header->next == s->header ? otherwise : remove_node(s, s->header->next);
}

int remove_last(struct list *s, int otherwise) {
  return s->header->prev == s->header ? otherwise : remove_node(s, s->header->prev);
}

int contains(struct list *s, int x) {
  for (struct node *p = s->header->next; p != s->header; p = p->next) {
    if (p->value == x)
      return 1;
  }
  return 0;
}

int remove_index(struct list *s, int index) {
  if (index < 0 || (unsigned)index >= s->size)
    return -1;
  struct node *p = s->header;
  if ((unsigned)index < s->size / 2) {
    for (int i = 0; i <= index; i++)
      p = p->next;
  } else {
    for (unsigned i = s->size; i > (unsigned)index; i--)
      p = p->prev;
  }
  return remove_node(s, p);
}

// Gives back cached nodes beyond a new maximum.
int shrink_cache(struct list *s, int max) {
  s->max_cached = max < 0 ? 0 : (unsigned)max;
  while (s->n_cached > s->max_cached) {
    struct node *p = s->cache;
    s->cache = p->next;
    s->n_cached--;
    free(p);
  }
  return 1;
}

int clear(struct list *s, int unused) {
  (void)unused;
  while (s->header->next != s->header)
    remove_node(s, s->header->next);
  return 1;
}

#define PAIR_OF(a, b) PAIR(struct list *s, a, b)
#define PAIRS(a)                                                                                                       \
  PAIR_OF(a, add_first)                                                                                                \
  PAIR_OF(a, add_last)                                                                                                 \
  PAIR_OF(a, remove_first)                                                                                             \
  PAIR_OF(a, remove_last)                                                                                              \
  PAIR_OF(a, contains) PAIR_OF(a, remove_index) PAIR_OF(a, shrink_cache) PAIR_OF(a, clear)

PAIRS(add_first)
PAIRS(add_last)
PAIRS(remove_first)
PAIRS(remove_last)
PAIRS(contains)
PAIRS(remove_index)
PAIRS(shrink_cache)
PAIRS(clear)

#ifdef SELFTEST
#define REFUSED_BY_ALL(variable, value)                                                                                \
  WITH(variable, value, EXPECT(!ok(s)); EXPECT(!maybe_ok(s)); EXPECT(!numbers_ok(s)))

static void check(struct list *s) {
  EXPECT(ok(s));
  EXPECT(maybe_ok(s));
  EXPECT(numbers_ok(s));
  REFUSED_BY_ALL(s->size, s->size + 1);
  REFUSED_BY_ALL(s->n_cached, s->n_cached + 1);
  REFUSED_BY_ALL(s->n_cached, s->max_cached + 1);
  REFUSED(s->header, NULL);
  REFUSED(s->cache, s->header);
  OPEN(s->header);
  OPEN(s->cache);
  struct node other = {0, s->header, s->header};
  struct node *p = s->header;
  do {
    struct node *values[] = {NULL, p, s->header, s->header->next, &other, s->cache};
    for (int i = 0; i < 6; i++) {
      if (p->next != values[i])
        REFUSED(p->next, values[i]);
      if (p->prev != values[i])
        REFUSED(p->prev, values[i]);
    }
    OPEN(p->next);
    OPEN(p->prev);
    WITH(p->next, UNDECIDED, OPEN(p->prev); OPEN(s->header->prev); OPEN(s->cache));
    p = p->next;
  } while (p != s->header);
  for (p = s->cache; p; p = p->next) {
    REFUSED(p->prev, p);
    REFUSED(p->next, p);
    REFUSED(p->next, s->header);
    REFUSED(p->next, s->cache);
    if (p->next)
      REFUSED_BY_ALL(p->next, NULL);
    OPEN(p->next);
    OPEN(p->prev);
  }
}

int main(void) {
  struct node *header = malloc(sizeof *header);
  *header = (struct node){0, header, header};
  struct list list = {header, 0, NULL, 0, 3};
  struct list *s = &list;
  int (*operations[])(struct list *, int) = {add_first, add_last,     remove_first, remove_last,  contains, add_last,
                                             add_first, remove_index, contains,     shrink_cache, clear};
  for (int i = 0; i < 4000; i++) {
    check(s);
    operations[next_random() % (i % 100 ? 10 : 11)](s, next_random() % 6);
  }
  clear(s, 0);
  EXPECT(add_first(s, 77) && contains(s, 77) && add_last(s, 78) && remove_index(s, 1) == 78 && remove_last(s, 0) == 77);
  EXPECT(remove_first(s, 5) == 5 && add_first_then_remove_first(s, 7, 0) == 8);
  check(s);
  clear(s, 0);
  shrink_cache(s, 0);
  check(s);
  free(header);
  return 0;
}
#endif
