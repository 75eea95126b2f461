// What a branch writes is learned from runs in which its condition is an expression, for those in which it is a number that depends on one.
// paths: 4
// options: --entry test
int g, h, n, error;
void test(unsigned char a, unsigned char b) {
  if (b > 1)
    g = b;
  if (g)
    h = 1;
  if (a == 1) {
    int t = h;
    if (t)
      error = 1;
  }
}
