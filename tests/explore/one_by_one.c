// paths: 16
// Values that have to be made concrete, each followed by decisions.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char n, m;
  char text[8];
  klee_make_symbolic(&n, 1, "n");
  klee_make_symbolic(&m, 1, "m");
  if (n > 4)
    return 0;
  sprintf(text, "%.0e", (double)n);
  if (m == text[0])
    return 1;
  return m > 200 && text[0] > 'z' ? 2 : 3;
}
