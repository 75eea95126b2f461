// Comparisons of floats, of which one can only be met by a number that is not one.
// paths: 4
#include <klee/klee.h>

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x != x)
    return 1;
  if (x * 2.0 == 3.0)
    return 2;
  if (x + 1.0 < x)
    return 3; // no number does that
  if (x > 1e300)
    return 4;
  return 5;
}
