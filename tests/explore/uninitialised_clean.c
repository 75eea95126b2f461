// Every way through the program gives the variable a value before it is read.
// paths: 2
#include <klee/klee.h>

int main(void) {
  int x;
  if (klee_int("set") != 12345)
    x = 1;
  else
    x = 0;
  return x;
}
