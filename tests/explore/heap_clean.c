// What happens to a heap object depends on the input, and is always right.
// paths: 3
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  int what = klee_int("what");
  if (!p)
    return 1;
  p[0] = 1;
  if (what == 1000) {
    free(p);
    p = NULL;
  }
  if (what == 2000)
    return *p;
  free(p);
  return 0;
}
