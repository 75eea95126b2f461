// A pointer that is null for one input only.
#include <klee/klee.h>
#include <stddef.h>

int main(void) {
  int x = klee_int("x"), value = 5;
  int *p = x * 3 == 51 ? NULL : &value;
  return *p; //~ BUG(null-deref)
}
