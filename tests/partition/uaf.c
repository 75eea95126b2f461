// Memory that one input frees and the other uses.
// options: --entry test
// paths: 4
#include <stdlib.h>
void test(int a, int b) {
  int *p = malloc(4);
  if (!p) return;
  if (a) free(p);
  if (b) *p = 1;
}
