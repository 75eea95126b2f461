// Library functions that call back are code like any other: what is compared belongs together, what is not does not.
// options: --entry test
#include <stdlib.h>
int error, other;
static int compare(const void *l, const void *r) {
  int a = *(const int *)l, b = *(const int *)r;
  return (a > b) - (a < b);
}
void test(int a, int b, int c, int d) {
  int t[3] = {a, b, c};
  if (d == 7)
    other = 1;
  qsort(t, 3, sizeof *t, compare);
  if (t[0] == 4 && t[2] == 4)
    error = 1;
}
