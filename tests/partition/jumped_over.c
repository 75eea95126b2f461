// A jump passes over what would have been written, in registers too; what comes before it is independent.
// options: --entry test
#include <setjmp.h>
static jmp_buf env;
int first, second, error;
static void check(int a) {
  if (a == 5)
    longjmp(env, 2);
}
int test(int a, int b, int c, int d) {
  int x = 0;
  if (c > 7)
    first = 1;
  if (d > 7)
    second = 1;
  int came = setjmp(env);
  if (came == 0) {
    check(a);
    x = 1;
  }
  int y = 0;
  if (b == 3)
    y = 1;
  if (came == 2 && y)
    error = 1;
  return x;
}
