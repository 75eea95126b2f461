// Numbers that are printed to a file and read back are the ones that were printed.
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int number = klee_range(0, 20, "number"), read = -1;
  FILE *file = tmpfile();
  fprintf(file, "number: %d\n", number);
  rewind(file);
  assert(fscanf(file, "number: %d", &read) == 1 && read == number);
  if (read == 17)
    assert(number != 17); //~ BUG(assert)
  return 0;
}
