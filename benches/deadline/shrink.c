// Every run takes a while, and there is a bug whose input could be smaller.
#include <klee/klee.h>

int main(void) {
  unsigned char s[40];
  klee_make_symbolic(s, sizeof s, "s");
  volatile int n = 0;
  for (int i = 0; i < 12; i++)
    if (s[i] > 7 + i)
      n++;
  for (int i = 0; i < 300000; i++)
    n++;
  if (s[19] > 50 && s[29] > 60)
    return *(volatile int *)0;
  return n;
}
