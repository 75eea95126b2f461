// A run that ends early hides what another input does behind, whether that was decided before or after what has ended it.
// paths: 8
// options: --entry test
#include <stdlib.h>
int x, y, z, seen, error;
void test(int a, int b, int c) {
  if (a == 1)
    x = 1;
  if (b == 1)
    y = 1;
  if (c == 1)
    z = 1;
  if (!x)
    exit(1);
  if (b == 1)
    seen = 1;
  if (!z)
    abort();
  if (y)
    error = 1;
  if (b == 4)
    error = 2;
}
