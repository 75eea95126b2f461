// What one input writes another may write over, or leave: seen only behind the last decision of a run that was executed before.
// options: --entry test
// paths: 4
#include <assert.h>
int x = 1;
void test(int a, int b) {
  if (a)
    x = 3;
  if (b != 2)
    x = 2;
  assert(x != 3); //~ BUG(assert)
}
