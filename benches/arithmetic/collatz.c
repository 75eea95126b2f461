// One symbolic word, halved or multiplied by 5: what is decided is a bit of a long chain of both.
#include <klee/klee.h>

int main(void) {
  unsigned n, steps = 0;
  klee_make_symbolic(&n, sizeof n, "n");
  while (n > 1 && steps < 40) {
    n = n % 2 ? 5 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}
