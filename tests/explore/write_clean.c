// The same with the right bound: one path for each side of it.
// paths: 2
#include <klee/klee.h>

int main(void) {
  char buffer[8] = {0};
  unsigned i = klee_int("i");
  if (i >= 8)
    return 1;
  buffer[i] = 1;
  return 0;
}
