// What jumps out of functions is not followed: everything is explored, and the ledger says so.
// options: --entry test
// ledger: flow-not-followed
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
