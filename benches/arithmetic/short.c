// Two symbolic bytes that are one number, behind a generator of pseudo-random numbers.
#include <klee/klee.h>

int main(void) {
  unsigned short seed;
  klee_make_symbolic(&seed, sizeof seed, "seed");
  unsigned x = seed;
  int hits = 0;
  for (int i = 0; i < 12; i++) {
    x = x * 1103515245u + 12345u;
    if ((x >> 16) % 10 == (unsigned)i % 10)
      hits++;
  }
  return hits;
}
