// Structures of input among variable arguments.
#include <assert.h>
#include <klee/klee.h>
#include <stdarg.h>

struct small {
  int a, b;
};

struct large {
  long items[4];
  char tail;
};

static long pick(int n, ...) {
  va_list args, copy;
  va_start(args, n);
  struct small small = va_arg(args, struct small);
  va_copy(copy, args);
  struct large large = va_arg(args, struct large);
  double real = va_arg(args, double);
  struct large again = va_arg(copy, struct large);
  va_end(copy);
  va_end(args);
  assert(large.tail == again.tail);
  if (small.b == 77 && large.items[2] == 1234567890123 && real == 2.5)
    return large.tail;
  return 0;
}

int main(void) {
  struct small small;
  struct large large;
  klee_make_symbolic(&small, sizeof small, "small");
  klee_make_symbolic(&large, sizeof large, "large");
  double real = small.a;
  assert(pick(3, small, large, real / 2) != 'z'); //~ BUG(assert)
  return 0;
}
