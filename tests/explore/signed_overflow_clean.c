// The sum fits for all inputs that come so far.
// check: signed-overflow
// paths: 3
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x < 0)
    return 0;
  if (x > 1000000)
    return 1;
  return (x + 1000) / 7;
}
