// Products of symbolic words that have to come out right.
#include <klee/klee.h>

int main(void) {
  unsigned x, y, z;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_make_symbolic(&z, sizeof z, "z");
  int n = 0;
  if (x * y == 0xcafe1234u)
    n += 1;
  if (x * x + y == z * 3)
    n += 2;
  if ((x ^ z) * 0x9e3779b1u >> 20 == 0x7ff)
    n += 4;
  if (y * z % 1000 == x % 1000)
    n += 8;
  return n;
}
