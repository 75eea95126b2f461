// A query that no solver answers soon: quotients and products of whole words.
#include <klee/klee.h>

int main(void) {
  unsigned long a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a > 0xffffffff && b > 0xffffffff && (a * a + b * b * b) / ((a ^ b) | 1) == a % b * 0x9e3779b97f4a7c15 &&
      (a - b) * (a + b) / 1000003 == b * 77777)
    return 1;
  return 0;
}
