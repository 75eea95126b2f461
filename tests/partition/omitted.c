// What is not written says as much as what is.
// options: --entry test
// paths: 4
#include <assert.h>
int x = 1;
void test(int a, int b) {
  if (a)
    x = 0;
  if (b)
    assert(x); //~ BUG(assert)
}
