// An array whose size comes from the input: what is too large is one path, whatever the number.
// paths: 7
#include <klee/klee.h>

int main(void) {
  int n = klee_int("n");
  if (n > 4)
    return 0;
  int a[n]; //~ BUG(stack-exhausted)
  for (int i = 0; i < n; i++)
    a[i] = i;
  return 0;
}
