// A variable that one way through the program leaves alone.
#include <klee/klee.h>

int main(void) {
  int x;
  if (klee_int("set") != 12345)
    x = 1;
  if (x) //~ BUG(uninitialised)
    return 1;
  return 0;
}
