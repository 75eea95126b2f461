// What checks of numbers may look at: a variable of the program is what it is when they are called, and a result that depends on a
// pointer which is not decided yet says nothing.
//
// trial: entry=limited hex=hex_checks.hex objects=node=2 expect=clean paths=4
// trial: entry=open_result hex=hex_checks_open.hex objects=node=2 expect=clean paths=2
// trial: entry=total hex=hex_checks_sum.hex objects=node=3 expect=clean paths=3
// trial: entry=total hex=hex_checks_sum.hex objects=node=3 fault=OFF_BY_ONE expect=assert at=sum
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
