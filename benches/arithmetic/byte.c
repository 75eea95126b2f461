// One symbolic byte behind many rounds of arithmetic: 256 values, and expressions of hundreds of operations.
#include <klee/klee.h>

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  unsigned hash = c;
  int found = 0;
  for (int i = 0; i < 200; i++) {
    hash = (hash * 31 + c) % 65521;
    hash ^= hash >> 3;
    if (i % 20 == 19 && hash % 64 == (unsigned)i / 20)
      found++;
  }
  return found;
}
