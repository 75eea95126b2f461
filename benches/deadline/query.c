// A query that no solver answers soon: a quotient and a product of whole words.
#include <klee/klee.h>

int main(void) {
  unsigned long a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (b > 1000000007 && a / b * 0x9e3779b97f4a7c15 == (a % b ^ 0x123456789abcdef) && a * b == 0x5851f42d4c957f2d)
    return 1;
  return 0;
}
