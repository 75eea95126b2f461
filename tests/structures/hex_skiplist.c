// A skip list of two levels, on demand: the upper one holds some of the nodes of the lower, in the same order. Behind the head there are up to three
// nodes, each of them on the upper level or not: 1 + 2 + 4 + 8 lists, whichever level is walked first.
//
// trial: entry=lower_first hex=hex_skiplist.hex objects=skip=4 audit=skip_ok expect=clean paths=15
// trial: entry=upper_first hex=hex_skiplist.hex objects=skip=4 audit=skip_ok expect=clean paths=15
#include <stddef.h>

struct skip {
  struct skip *next, *fast;
};

struct list {
  struct skip *head;
};

// The bound ends the walk on a cyclic list.
int skip_ok(const struct list *l) {
  if (!l || !l->head)
    return 0;
  const struct skip *fast = l->head->fast;
  int n = 0;
  for (const struct skip *p = l->head->next; p; p = p->next) {
    if (++n > 8)
      return 0;
    if (p == fast)
      fast = p->fast;
    else if (p->fast)
      return 0;
  }
  return !fast;
}

static int lower(const struct list *l) {
  int n = 0;
  for (const struct skip *p = l->head->next; p; p = p->next)
    n++;
  return n;
}

static int upper(const struct list *l) {
  int n = 0;
  for (const struct skip *p = l->head->fast; p; p = p->fast)
    n++;
  return n;
}

int lower_first(const struct list *l) {
  int n = lower(l);
  return n - upper(l);
}

int upper_first(const struct list *l) {
  int n = upper(l);
  return lower(l) - n;
}
