// What is said to be impossible is.
// paths: 3
#include <klee/klee.h>

int main(void) {
  switch (klee_int("x") & 3) {
  case 0:
  case 1:
    return 0;
  case 2:
    return 1;
  case 3:
    return 2;
  default:
    __builtin_unreachable();
  }
}
