// Two independent conditions and one that depends on both.
// paths: 5
#include <klee/klee.h>

int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  int n = 0;
  if (a > 10)
    n++;
  if (b == 77)
    n++;
  if (n == 2 && a < 20) // only the path with both splits again
    return 3;
  return n;
}
