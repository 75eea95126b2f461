// What is printed is no decision of the program.
// paths: 2
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x = klee_int("x");
  printf("%d %x\n", x, x);
  if (x == 99)
    return 1;
  return 0;
}
