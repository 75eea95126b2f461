// One symbolic word that is counted down, with a question about its parity at each step.
#include <klee/klee.h>

int main(void) {
  int n, odd = 0;
  klee_make_symbolic(&n, sizeof n, "n");
  while (n > 0) {
    if (n % 2)
      odd++;
    n = n - 1;
  }
  return odd;
}
