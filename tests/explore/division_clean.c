// Guarded division has no other outcome.
// paths: 3
#include <klee/klee.h>

int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  if (b == 0)
    return 0;
  if (b == -1)
    return 1;
  return a / b == 12345;
}
