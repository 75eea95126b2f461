// No input at all: one path.
// paths: 1
#include <stdio.h>

int main(void) {
  puts("nothing to explore");
  return 0;
}
