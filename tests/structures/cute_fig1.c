// The example of the CUTE paper's first figure, and the two snippets of its section 3.7 that need exact pointer and
// index constraints: nothing in them compares p with q, or i with j.
//
// trial: entry=testme expect=assert at=self-loop branches=100
// trial: entry=write_through_both expect=assert at=same-target branches=100
// trial: entry=write_both_elements expect=assert at=different-elements branches=100
#include <assert.h>
#include <stddef.h>

struct cell {
  int v;
  struct cell *next;
};

static int odd(int v) { return 2 * v + 1; }

// Fails for one shape only: a cell that is its own successor, with a value that depends on x.
int testme(struct cell *p, int x) {
  if (x <= 0 || p == NULL)
    return 0;
  if (p->v != odd(x))
    return 0;
  if (p->next == p)
    assert(0); //~ self-loop
  return 1;
}

void write_through_both(int *p, int *q) {
  if (p == NULL || q == NULL)
    return;
  *p = 0;
  *q = 1;
  if (*p == 1)
    assert(0); //~ same-target
}

void write_both_elements(unsigned i, unsigned j) {
  int a[8] = {0};
  if (i >= 8 || j >= 8)
    return;
  a[i] = 0;
  a[j] = 1;
  if (a[i] == 0)
    assert(0); //~ different-elements
}
