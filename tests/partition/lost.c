// An object is lost if one input says that there is one, and another that it is not freed.
// paths: 10
// options: --entry test --check leak
#include <stdlib.h>
static char *kept, *other;
static int n;
void test(int a, int b, int c, int d) {
  kept = other = 0;
  if (a == 11) {
    kept = malloc(8);
    other = malloc(8);
  }
  if (b == 22) {
    free(kept);
    kept = 0;
  }
  if (c == 33)
    n++;
  if (d == 44)
    other = 0;
}
