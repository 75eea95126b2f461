// A run that ends early hides what another input does behind: it is looked at none the less.
// paths: 4
// options: --entry test
#include <stdlib.h>
int seen, error;
void test(int b, int c) {
  if (b == 2)
    seen = 1;
  if (c != 5)
    exit(1);
  if (b == 2)
    error = seen;
}
