// A shift amount that can be too large.
#include <klee/klee.h>

int main(void) {
  unsigned amount = klee_int("amount");
  if (amount > 32)
    return 0;
  return (1u << amount) == 7; //~ BUG(oversized-shift)
}
