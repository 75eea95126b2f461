// options: --uninitialised input
// Functions of the library read what was not given a value like the program does.
#include <stdlib.h>
#include <string.h>

extern void reach_error(void);

int main(void) {
  char text[3];
  text[2] = 0;
  if (strlen(text) == 1)
    reach_error(); //~ BUG(reach-error)
  int *pair = malloc(2 * sizeof *pair);
  pair[1] = 0;
  if (memcmp(pair, "abcd", 4) == 0 && pair[1] == 0)
    reach_error(); //~ BUG(reach-error)
  return 0;
}
