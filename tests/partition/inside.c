// What one input leaves behind is read only under the other.
// options: --entry test
// paths: 4
int y, t, error;
void test(int a, int b) {
  if (b) y = 1;
  if (a) {
    t = y;
    if (t)
      error = 1;
  }
}
