// Calls to abort are reached through the input.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned x = klee_int("x");
  if (x * 5 == 35)
    abort(); //~ BUG(abort)
  return 0;
}
