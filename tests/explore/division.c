// Division by a number that can be zero, and the one quotient that does not fit.
#include <klee/klee.h>

int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  return a / b; //~ BUG(div-by-zero) BUG(div-overflow)
}
