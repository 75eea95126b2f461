// What copies and fills leave behind depends on a length from the input, which is no path for each length.
// paths: 4
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char from[9] = "abcdefgh", to[9] = {0};
  unsigned n = klee_int("n");
  klee_assume(n <= 8);
  memcpy(to, from, n);
  if (to[3] == 'd') { // from 4 on
    memmove(from + 1, from, n);
    if (from[7] == 'g') // from 7 on
      return 1;
    return 2;
  }
  memset(to, 'x', n);
  if (to[2] == 'x') // 3
    return 3;
  return 4;
}
