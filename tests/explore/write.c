// A write one element beyond the end, for one index.
#include <klee/klee.h>

int main(void) {
  char buffer[8] = {0};
  unsigned i = klee_int("i");
  if (i > 8)
    return 1;
  buffer[i] = 1; //~ BUG(out-of-bounds)
  return 0;
}
