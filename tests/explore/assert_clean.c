// An assertion that always holds, however the input splits.
// paths: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned y = x > 9 ? x - 10u : x + 246u;
  assert(y < 256);
  return 0;
}
