// The pointer is looked at before it is followed.
// paths: 2
#include <klee/klee.h>
#include <stddef.h>

int main(void) {
  int x = klee_int("x"), value = 5;
  int *p = x * 3 == 51 ? NULL : &value;
  return p ? *p : 0;
}
