// How long a string is depends on its bytes; so does what is copied by that length.
// options: --entry test --param s=string:4
#include <string.h>
int error, other;
void test(const char *s, int b, int c) {
  char t[8] = "abcdefg";
  size_t n = strlen(s);
  if (c == 1)
    other = 1;
  if (b == 2)
    t[1] = 'x';
  memcpy(t, s, n);
  if (t[1] == 'x' && t[0] != 'a')
    error = 1;
}
