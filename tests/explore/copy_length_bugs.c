// Copies and fills that are errors for some lengths: one report each, whatever the length.
#include <klee/klee.h>
#include <string.h>

static char area[16];

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  switch (klee_int("which")) {
  case 1:
    memset(area + 4, 1, n); //~ BUG(out-of-bounds)
    break;
  case 2:
    memmove(area, area + 8, n); //~ BUG(out-of-bounds)
    break;
  case 3:
    memcpy(area, area + 4, n); //~ BUG(overlap) BUG(out-of-bounds)
    break;
  }
  return 0;
}
