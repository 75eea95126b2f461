// What is said to be impossible happens for one input.
#include <klee/klee.h>

int main(void) {
  switch (klee_int("x") & 3) {
  case 0:
  case 1:
    return 0;
  case 2:
    return 1;
  default:
    __builtin_unreachable(); //~ BUG(unreachable)
  }
}
