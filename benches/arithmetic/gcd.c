// Euclid's algorithm on two symbolic words: each path is a chain of remainders by remainders.
#include <klee/klee.h>

int main(void) {
  unsigned a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  while (b != 0) {
    unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a == 1;
}
