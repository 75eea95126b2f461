// Holds N live allocations of 32 bytes until its input ends, for the memory that each of them costs.

#include <stdio.h>
#include <stdlib.h>

struct object {
  struct object *next;
  long values[3];
};

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 0;
  struct object *all = NULL;
  for (long i = 0; i < count; i++) {
    struct object *object = malloc(sizeof *object);
    if (!object)
      return 1;
    *object = (struct object){all, {i, i + 1, i + 2}};
    all = object;
  }
  long sum = 0;
  for (struct object *object = all; object; object = object->next)
    sum += object->values[1];
  printf("%ld\n", sum);
  fflush(stdout);
  getchar();
  return 0;
}
