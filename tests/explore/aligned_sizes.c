// paths: 5
// The size of what `memalign` and `realloc` make stays open: no path for each.
#include <klee/klee.h>
#include <malloc.h>
#include <stdlib.h>

int main(void) {
  int n = klee_int("n");
  if (n < 1)
    return 0;
  if (n > 100)
    return 1;
  char *p = realloc(NULL, n);
  char *q = memalign(64, n);
  if ((unsigned long)q % 64)
    return 2;
  p[5] = 1; //~ BUG(out-of-bounds)
  q[9] = 2; //~ BUG(out-of-bounds)
  free(p);
  free(q);
  return 3;
}
