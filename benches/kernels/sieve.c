// The sieve of Eratosthenes over a byte array, N rounds: simple loops with strided stores.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 8192 };

static char composite[LIMIT];

static int sieve(void) {
  int count = 0;
  memset(composite, 0, sizeof composite);
  for (int i = 2; i < LIMIT; i++) {
    if (composite[i])
      continue;
    count++;
    for (int j = 2 * i; j < LIMIT; j += i)
      composite[j] = 1;
  }
  return count;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 0;
  long total = 0;
  for (int i = 0; i < rounds; i++)
    total += sieve();
  printf("%ld\n", total);
  return 0;
}
