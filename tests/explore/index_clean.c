// The same with both checks: one path for each way out.
// paths: 3
#include <klee/klee.h>

static int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

int main(void) {
  int i = klee_int("i");
  if (i < 0 || i >= 8)
    return -1;
  return table[i];
}
