// A request that no memory could serve fails, and one that our limit forbids is an error: one path each.
// options: --check=memory-limit
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int n = klee_int("n");
  if (n > 0 && n != 5 && (n < 150000000 || n > 160000000))
    return 0;
  long *p = malloc(n * sizeof *p); //~ BUG(memory-limit)
  if (!p)
    return 1;
  if (n > 0)
    p[n - 1] = 3;
  free(p);
  return 0;
}
