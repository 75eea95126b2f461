// A write at a symbolic place is seen by reads at other symbolic places.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a[16] = {0};
  unsigned i = klee_int("i"), j = klee_int("j");
  if (i >= 16 || j >= 16)
    return 0;
  a[i] = 1;
  a[j] += 1;
  assert(a[i] != 2); //~ BUG(assert)
  return 0;
}
