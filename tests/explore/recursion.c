// A recursion as deep as the input says.
// paths: 7
#include <klee/klee.h>

static int depth(unsigned n) { return n == 0 ? 0 : 1 + depth(n / 2); }

int main(void) {
  unsigned n = klee_int("n");
  klee_assume(n < 64);
  return depth(n);
}
