// What checks of numbers may look at: a variable of the program is what it is when they are called, and a result that depends on a
// pointer which is not decided yet says nothing. One that branches says different things where the path has taken the branch before, though
// the heap is the same. The access that a check is made in the midst of goes on as it would have.
//
// trial: entry=limited hex=hex_checks.hex objects=node=2 expect=clean paths=4
// trial: entry=open_result hex=hex_checks_open.hex objects=node=2 expect=clean paths=2
// trial: entry=total hex=hex_checks_sum.hex objects=node=3 expect=clean paths=3
// trial: entry=total hex=hex_checks_sum.hex objects=node=3 fault=OFF_BY_ONE expect=assert at=sum
// trial: entry=kinds hex=hex_checks_branch.hex objects=pair=2 expect=clean paths=8
// trial: entry=kinds hex=hex_checks_switch.hex objects=pair=2 expect=clean paths=8
// trial: entry=kinds hex=hex_checks_index.hex objects=pair=2 expect=clean paths=8
// trial: entry=row hex=hex_checks_table.hex objects=node=2 expect=clean paths=4
// trial: entry=halves hex=hex_checks_this.hex objects=pair=2 expect=clean paths=3
#include <spelunk.h>
#include <stddef.h>

struct node {
  int n;
  struct node *next;
};

static int limit;

int is_small(const struct node *l) { return l->n <= limit; }

int limited(struct node *l, _Bool is_wide) {
  if (is_wide)
    limit = 5;
  else
    limit = 1;
  int has_more = l->next != NULL;
  spelunk_assert(l->n <= limit);
  return has_more;
}

int has_next(const struct node *l) { return l->next != NULL; }

int open_result(struct node *l) {
  int n = 0;
  for (; l; l = l->next)
    n++;
  return n;
}

// The first number is at least that of nodes, as far as they are known.
int counts(const struct node *l) {
  int n = 0;
  const struct node *p = l;
  for (; spelunk_is_decided(p) && p; p = p->next)
    n++;
  return l->n >= n;
}

int total(const struct node *l) {
  int n = 0;
  for (const struct node *p = l; p; p = p->next)
    n++;
#ifdef FAULT_OFF_BY_ONE
  n++;
#endif
  spelunk_assert(n <= l->n); //~ sum
  return n;
}

struct pair {
  unsigned kind;
  int n;
  struct pair *next;
};

int by_branch(const struct pair *l) {
  if (l->kind == 4)
    return l->n == 1;
  return l->n == 0;
}

int by_switch(const struct pair *l) {
  switch (l->kind) {
  case 4:
    return l->n == 1;
  default:
    return l->n == 0;
  }
}

int by_index(const struct pair *l) {
  static const int expected[2] = {0, 1};
  return l->n == expected[l->kind == 4];
}

// The number is decided before the pointer is, or after it.
int kinds(struct pair *l, _Bool is_known) {
  int expected = 0;
  if (is_known && l->kind == 4)
    expected = 1;
  int has_more = l->next != NULL;
  if (!is_known && l->kind == 4)
    expected = 1;
  spelunk_assert(l->n == expected);
  return has_more;
}

struct table {
  struct node *rows[2];
};

int are_numbered(const struct table *t) {
  int ok = 1;
  for (int i = 0; i < 2; i++)
    if (spelunk_is_decided(t->rows[i]) && t->rows[i])
      ok &= t->rows[i]->n == i;
  return ok;
}

int row(struct table *t, unsigned i) {
  struct node *p = t->rows[i % 2];
  if (!p)
    return -1;
  spelunk_assert(p->n == (int)(i % 2));
  return p->n;
}

int is_even(const struct pair *p) { return p->n % 2 == 0; }

int halves(const struct pair *l) {
  int sum = 0;
  for (; l; l = l->next) {
    spelunk_assert(l->n % 2 == 0);
    sum ^= l->n / 2;
  }
  return sum;
}
