// Quicksort of N integers: comparisons that can't be predicted, swaps, recursion.

#include <stdio.h>
#include <stdlib.h>

static void sort(int *items, long low, long high) {
  while (low < high) {
    int pivot = items[(low + high) / 2];
    long i = low, j = high;
    while (i <= j) {
      while (items[i] < pivot)
        i++;
      while (items[j] > pivot)
        j--;
      if (i <= j) {
        int swapped = items[i];
        items[i++] = items[j];
        items[j--] = swapped;
      }
    }
    sort(items, low, j);
    low = i;
  }
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 0;
  int *items = malloc((size_t)(count + 1) * sizeof *items);
  if (!items)
    return 1;
  unsigned seed = 3;
  for (long i = 0; i < count; i++) {
    seed = seed * 1103515245u + 12345u;
    items[i] = (int)(seed >> 4);
  }
  sort(items, 0, count - 1);
  unsigned long sum = 0;
  for (long i = 0; i < count; i++)
    sum = sum * 31 + (unsigned)items[i];
  printf("%lu\n", sum);
  free(items);
  return 0;
}
