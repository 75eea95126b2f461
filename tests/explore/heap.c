// What happens to a heap object depends on the input: each of the errors has an input of its own.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  int what = klee_int("what");
  free(p);
  if (what == 1000)
    free(p); //~ BUG(double-free)
  if (what == 2000)
    return *p; //~ BUG(use-after-free)
  if (what == 3000)
    free(&what); //~ BUG(bad-free)
  return 0;
}
