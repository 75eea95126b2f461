// An error that the program reports itself.
#include <klee/klee.h>

int main(void) {
  unsigned x = klee_int("x");
  if (x % 7 == 3)
    klee_report_error(__FILE__, __LINE__, "three is left", "left.err"); //~ BUG(reported-error)
  return 0;
}
