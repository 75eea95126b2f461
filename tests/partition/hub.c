// A count that all others are used under ties none of them.
// paths: 15
// options: --entry test --global n --global a
int n, a[6], hits;
void f(void) { hits++; }
void test(void) {
  if (n < 0 || n > 6)
    return;
  for (int i = 0; i < n; i++)
    if (a[i])
      f();
}
