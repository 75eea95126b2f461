// Product of two matrices of doubles, N rounds: nested loops, two-dimensional indexing, floating point.

#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 48 };

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(void) {
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      double sum = 0;
      for (int k = 0; k < SIZE; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      a[i][j] = i + j * 0.5;
      b[i][j] = i - j * 0.25;
    }
  }
  double sum = 0;
  for (int i = 0; i < rounds; i++) {
    a[i % SIZE][0] += 1;
    multiply();
    sum += c[i % SIZE][(i * 7) % SIZE];
  }
  printf("%.6f\n", sum);
  return 0;
}
