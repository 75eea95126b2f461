// The number of times a loop is run depends on the input.
// paths: 5
#include <klee/klee.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 5);
  int sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += i;
  return sum;
}
