// Both inputs decide whether one line is reached: all four ways are needed.
// options: --entry test
// paths: 4
int x, y, error;
void test(int a, int b) {
  if (a) x = 1;
  if (b) y = 1;
  if (x & y)
    error = 1;
}
