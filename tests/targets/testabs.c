// The result of a call decides; which path through the function gave it does not.
#include <assert.h>

static int absolute(int x) {
  if (x > 0)
    return x;
  else if (x == 0)
    return 100;
  else
    return -x;
}

int test_abs(int p, int q) {
  int m = absolute(p);
  int n = absolute(q);
  if (m > n && p > 0)
    assert(0);
  if (p > 0 && q > 0 && p > q && m < n)
    return 1;
  return 0;
}
