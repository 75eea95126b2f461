// Where one input says which of two functions is called, and it is learned later that another has to do with it, what was left out is
// found by asking for anything else.
#include <spelunk.h>
static int g0, g1, t[4];
static void set(int v) {
  if (v > 1)
    g0 = v;
  else
    t[2] = v;
}
static void other(int v) { g1 = v; }
static void (*const calls[2])(int) = {set, other};
static int rest(int n) { return n <= 0 || n > 3 ? g1 : n + rest(n - 1); }
struct pair {
  int m[2];
};
static struct pair made(int v) {
  struct pair r = {{v, g0}};
  return r;
}
int main(void) {
  unsigned char a = spelunk_uchar("a");
  unsigned char b = spelunk_uchar("b");
  struct pair r = {{0, 0}};
  if (b & 1)
    r = made(0);
  calls[rest(t[1]) & 1](b > 1 ? r.m[0] : 0);
  calls[(a & 3) & 1](r.m[1]);
  return 0;
}
