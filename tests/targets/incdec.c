// A number goes up a few times and then down until it is small.
#include <assert.h>

static int inc(int x) {
  for (int i = 0; i < 10; i++)
    x++;
  return x;
}

static int dec(int r) {
  while (r > 30) {
    if (r % 2 == 0)
      r -= 2;
    else
      r -= 1;
  }
  return r;
}

void incdec(int x) {
  int y = dec(inc(x));
  if (y == 30 && x > 400 && x % 97 == 5)
    assert(0);
}
