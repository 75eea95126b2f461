// Comparisons of symbolic text decide byte by byte; its length is a number.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char text[6];
  klee_make_symbolic(text, sizeof text, "text");
  text[5] = '\0';
  if (strcmp(text, "magic") == 0)
    assert(!"found"); //~ BUG(assert)
  return strlen(text);
}
