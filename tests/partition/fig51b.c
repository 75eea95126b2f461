// Figure 5.1 (b): what is counted belongs to what it is counted for.
// options: --entry release --global A --global count
// cflags: -DN=10
// paths: 11
#include <assert.h>
#ifndef N
#define N 1000
#endif
int A[N], count[N], old_count[N];
void release(void) {
  for (int i = 0; i < N; i++)
    old_count[i] = count[i];
  for (int i = 0; i < N; i++)
    if (A[i] != 0)
      count[i]++;
  for (int i = 0; i < N; i++)
    if (A[i] != 0)
      assert(count[i] == old_count[i] + 1);
}
