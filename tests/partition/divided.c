// A divisor that one input sets, and a division under another.
// options: --entry test
// paths: 4
int z;
void test(int a, int b) {
  int y = 1;
  if (a)
    y = 0;
  if (b)
    z = 1 / y; //~ BUG(div-by-zero)
}
