// A copy whose length comes from the input.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char from[32] = {0}, to[8];
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n > 9)
    return 0;
  memcpy(to, from, n); //~ BUG(out-of-bounds)
  return 0;
}
