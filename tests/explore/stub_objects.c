// Functions that nobody defines return objects of the types that they are declared with, which may be shared.
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

struct window {
  unsigned width, height;
  const char *title;
};

extern struct node *list(void);
extern struct window window(void);

static int sum_of_two(void) {
  struct node *first = list();
  if (first && first->next && first->next->next == first)
    assert(first->value + 1 != first->next->value); //~ BUG(assert)
  return 0;
}

static int same_list(void) {
  struct node *a = list(), *b = list();
  if (!a || !b)
    return 1;
  a->value = 5;
  assert(a == b || b->value != 77); //~ BUG(assert)
  return b->value;                  // the list of another call may be the same
}

int main(void) {
  struct window w = window();
  if (w.width == 640)
    return sum_of_two();
  if (w.title && w.title[0] == 'x' && w.title[1] == 0)
    return same_list();
  return 0;
}
