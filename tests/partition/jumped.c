// What leads to a jump out of functions decides what follows where it goes, also where nobody jumps.
// options: --entry test
#include <setjmp.h>
static jmp_buf env;
int x, y, error;
static void set(int a) {
  if (a)
    longjmp(env, 1);
  x = 1;
}
void test(int a, int b) {
  if (setjmp(env) == 0)
    set(a);
  if (b)
    y = 1;
  if (!x && y)
    error = 1;
}
