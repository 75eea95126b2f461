// A pointer that can point to either of two objects is followed into both.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int a = 1, b = 2;
  int *both[2] = {&a, &b};
  unsigned i = klee_int("i");
  klee_assume(i < 2);
  *both[i] = 7;
  assert(a == 7 || i == 1);
  assert(b == 2); //~ BUG(assert)
  return 0;
}
