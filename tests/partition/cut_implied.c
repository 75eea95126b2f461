// What ends a run is known to hold: it follows from an earlier decision, which could have gone otherwise.
// options: --entry test
#include <stdlib.h>
int seen, error;
void test(unsigned char b, unsigned char c) {
  char *p = malloc(4);
  if (c > 1)
    seen = 1;
  if (c & 1)
    exit(1);
  for (int i = 0; i < 2; i++) {
    if (b & 1)
      continue;
    free(p);
  }
  for (int i = 0; i < (c & 3); i++)
    error = 1;
}
