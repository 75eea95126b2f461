// A sum that does not fit for large inputs.
// check: signed-overflow
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x < 0)
    return 0;
  return x + 1000 > 5; //~ BUG(signed-overflow)
}
