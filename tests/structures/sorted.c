// A set of numbers as a sorted list. The operations take the first cell and return the new one, so that an invariant
// of the argument says nothing about the result: the `keeps_` functions state it as assertions instead.
//
// trial: entry=sorted_insert assume=sorted_small expect=clean branches=95 unreachable=1
// trial: entry=sorted_remove assume=sorted_small expect=clean branches=95
// trial: entry=sorted_contains assume=sorted_small expect=clean branches=95
// trial: entry=sorted_merge assume=sorted_pair_small expect=clean branches=95
// trial: entry=insert_keeps_order assume=sorted_small check=leak expect=clean
// trial: entry=remove_keeps_order assume=sorted_small check=leak expect=clean
// trial: entry=merge_keeps_order assume=sorted_pair_small check=leak expect=clean
// trial: entry=remove_keeps_order assume=sorted_ok depth=40 expect=clean
//
// trial: entry=sorted_insert assume=sorted_small fault=NULL_CHECK expect=null-deref at=compare
// trial: entry=insert_keeps_order assume=sorted_small fault=COMPARE expect=assert at=insert-order
// trial: entry=insert_keeps_order assume=sorted_small check=leak fault=LEAK expect=leak
// trial: entry=sorted_remove assume=sorted_small fault=USE_AFTER_FREE expect=use-after-free at=unlink
// trial: entry=merge_keeps_order assume=sorted_pair_small fault=LOST_TAIL expect=assert at=merge-size
#include <assert.h>
#include <stdlib.h>

#ifndef LIMIT
#define LIMIT 3 // elements of the longest list that a trial starts from
#endif

struct cell {
  int value;
  struct cell *next;
};

// Strictly ascending, which no cyclic chain is.
int sorted_ok(const struct cell *head) {
  for (const struct cell *p = head; p && p->next; p = p->next) {
    if (p->value >= p->next->value)
      return 0;
  }
  return 1;
}

int sorted_small(const struct cell *head) {
  const struct cell *p = head;
  for (int i = 0; i < LIMIT && p; i++)
    p = p->next;
  return !p && sorted_ok(head);
}

// Two lists without a common cell: if they shared one, they would share the last.
int sorted_pair_small(const struct cell *a, const struct cell *b) {
  if (!sorted_small(a) || !sorted_small(b))
    return 0;
  if (!a || !b)
    return 1;
  while (a->next)
    a = a->next;
  while (b->next)
    b = b->next;
  return a != b;
}

struct cell *sorted_insert(struct cell *head, int value) {
  struct cell *p = malloc(sizeof *p);
  if (!p)
    abort();
  p->value = value;
  struct cell **link = &head;
#ifdef FAULT_NULL_CHECK
  while ((*link)->value < value) //~ compare
#elif defined FAULT_COMPARE
  while (*link && (*link)->value - value < 0)
#else
  while (*link && (*link)->value < value)
#endif
    link = &(*link)->next;
  if (*link && (*link)->value == value) {
#ifndef FAULT_LEAK
    free(p);
#endif
    return head;
  }
  p->next = *link;
  *link = p;
  return head;
}

struct cell *sorted_remove(struct cell *head, int value) {
  struct cell **link = &head;
  while (*link && (*link)->value < value)
    link = &(*link)->next;
  struct cell *p = *link;
  if (!p || p->value != value)
    return head;
#ifdef FAULT_USE_AFTER_FREE
  free(p);
  *link = p->next; //~ unlink
#else
  *link = p->next;
  free(p);
#endif
  return head;
}

int sorted_contains(const struct cell *head, int value) {
  while (head && head->value < value)
    head = head->next;
  return head && head->value == value;
}

// The union of two lists, made of their cells.
struct cell *sorted_merge(struct cell *a, struct cell *b) {
  struct cell *head = NULL;
  struct cell **link = &head;
  while (a && b) {
    if (a->value == b->value) {
      struct cell *twin = b;
      b = b->next;
      free(twin);
      continue;
    }
    struct cell **less = a->value < b->value ? &a : &b;
    *link = *less;
    *less = (*less)->next;
    link = &(*link)->next;
  }
#ifdef FAULT_LOST_TAIL
  *link = a;
#else
  *link = a ? a : b;
#endif
  return head;
}

static int length(const struct cell *head) {
  int n = 0;
  for (; head; head = head->next)
    n++;
  return n;
}

static void free_all(struct cell *head) {
  while (head) {
    struct cell *next = head->next;
    free(head);
    head = next;
  }
}

void insert_keeps_order(struct cell *head, int value) {
  int expected = length(head) + !sorted_contains(head, value);
  head = sorted_insert(head, value);
  assert(sorted_ok(head)); //~ insert-order
  assert(length(head) == expected);
  free_all(head);
}

void remove_keeps_order(struct cell *head, int value) {
  int expected = length(head) - sorted_contains(head, value);
  head = sorted_remove(head, value);
  assert(sorted_ok(head));
  assert(length(head) == expected);
  free_all(head);
}

void merge_keeps_order(struct cell *a, struct cell *b) {
  int expected = length(a);
  for (const struct cell *p = b; p; p = p->next)
    expected += !sorted_contains(a, p->value);
  struct cell *both = sorted_merge(a, b);
  assert(sorted_ok(both));
  assert(length(both) == expected); //~ merge-size
  free_all(both);
}
