// A large array that is written here and there, many short-lived objects, symbolic indices.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int input(void);

static int table[40000];
static unsigned char marks[256];

static int step(int x) {
  int local[3] = {x, x + 1, x + 2};
  int *heap = malloc(12);
  memcpy(heap, local, 12);
  int sum = heap[0] + heap[2];
  free(heap);
  return sum;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 1500; i++)
    sum += step(i) & 3;
  for (int i = 0; i < 8; i++) {
    unsigned x = (unsigned)input();
    unsigned place = x % 40000;
    if (x & 1)
      table[place] += i;
    else
      marks[x & 255]++;
    memset(table + 500 * i, i, 64);
    table[20000 + i] = (int)x;
    if (table[20000 + i / 2] > table[20000 + i])
      sum++;
    for (int j = 0; j < 700; j++)
      sum += step(j) & 1;
  }
  int used = 0;
  for (int i = 0; i < 256; i++)
    used += marks[i] != 0;
  char *last = malloc(1);
  printf("%d %d %p\n", sum, used, (void *)last);
  free(last);
  return used > 3;
}
