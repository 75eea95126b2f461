// Heap sort of SGLIB, on arrays of up to four numbers.
#include <stddef.h>
#include SGLIB_HEADER

#define COMPARE(a, b) ((a) < (b) ? -1 : (a) > (b))

// entry sort - is_sorted a=array:n<=4
void sort(int *a, int n) { SGLIB_ARRAY_SINGLE_HEAP_SORT(int, a, n, COMPARE); }

int is_sorted(int *a, int n) {
  for (int i = 1; i < n; i++)
    if (a[i - 1] > a[i])
      return 0;
  return 1;
}
