// Numbers that are wider than a word.
#include <assert.h>
#include <klee/klee.h>

typedef unsigned __int128 u128;

int main(void) {
  u128 x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned char shift;
  klee_make_symbolic(&shift, sizeof shift, "shift");
  if (shift >= 128)
    return 0;
  y = (x << shift) + 1;
  if (y >> 64 == 0x1234 && (unsigned long)y == 1)
    assert(shift != 60); //~ BUG(assert)
  _BitInt(200) z = (_BitInt(200))x << 64;
  if (z >> 100 == 9)
    assert((x & 1) == 0); //~ BUG(assert)
  return 0;
}
