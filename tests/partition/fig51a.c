// Figure 5.1 (a): one condition after another, each on an input of its own; the second loop is decided by the first.
// options: --entry test --global a
// cflags: -DN=12
// paths: 13
#ifndef N
#define N 1000
#endif
int a[N];
int reached;
void test(void) {
  for (int i = 0; i < N; i++)
    if (a[i] == 0)
      a[i] = 1;
  for (int i = 0; i < N; i++)
    if (a[i] == 0)
      reached = 1;
}
