// A jump out of functions, with the values of the path.
// paths: 4
#include <assert.h>
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf target;
static int depth;

static void dive(int number) {
  depth++;
  if (number == 3)
    longjmp(target, number + 4);
  if (number > 0 && number < 3)
    dive(number + 1);
}

int main(void) {
  int number = klee_range(0, 4, "number");
  volatile int seen = number;
  int result = setjmp(target);
  if (result == 0) {
    dive(number);
    assert(seen == 0 && depth == 1);
    return 0;
  }
  assert(result == 7 && seen == number && depth == 4 - number);
  return number == 1 ? 1 : 2;
}
