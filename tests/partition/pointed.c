// Which variable is written depends on one input, who reads it on another.
// options: --entry test
// paths: 4
#include <assert.h>
int x, y;
void test(int a, int b) {
  int *p = a ? &x : &y;
  *p = 1;
  if (b)
    assert(!x); //~ BUG(assert)
}
