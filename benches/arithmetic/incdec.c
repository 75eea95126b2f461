// Long chains of remainders and differences of one signed word.
#include <klee/klee.h>

int main(void) {
  int n, sum = 0;
  klee_make_symbolic(&n, sizeof n, "n");
  for (int i = 2; i < 24; i++) {
    if (n % i == i - 1)
      n = n - i;
    else if (n % (i + 1) == 0)
      n = n + i;
    if (n - sum > 100)
      sum = sum + n % 7;
  }
  return sum;
}
