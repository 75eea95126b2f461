// A shift amount that is checked.
// paths: 3
#include <klee/klee.h>

int main(void) {
  unsigned amount = klee_int("amount");
  if (amount >= 32)
    return 0;
  if ((1u << amount) == 64)
    return 1;
  return 2;
}
