// An index that is not checked from below.
#include <klee/klee.h>

static int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

int main(void) {
  int i = klee_int("i");
  if (i >= 8)
    return -1;
  return table[i]; //~ BUG(out-of-bounds)
}
