// Fibonacci numbers by recursion, N rounds: nothing but calls and returns.

#include <stdio.h>
#include <stdlib.h>

static unsigned long fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 0;
  unsigned long sum = 0;
  for (int i = 0; i < rounds; i++)
    sum += fib(20);
  printf("%lu\n", sum);
  return 0;
}
