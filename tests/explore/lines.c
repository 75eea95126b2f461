// A line that is read, cut off at its end and put into another text: where it ends is a number, and no path for each place.
// paths: 16
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[100], line[80], home[40];
  klee_make_symbolic(text, sizeof text, "text");
  FILE *file = tmpfile();
  if (!file)
    return 1;
  fwrite(text, 1, sizeof text, file);
  rewind(file);
  if (!fgets(line, sizeof line, file))
    return 1;
  line[strcspn(line, "\n")] = '\0';
  if (strncmp(line, "USER ", 5) != 0)
    return 2;
  sprintf(home, "home/%s", line + 5); //~ BUG(out-of-bounds)
  return 0;
}
