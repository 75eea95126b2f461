// Quicksort of symbolic numbers, with a check of the result.
#include <assert.h>
#include <klee/klee.h>

#define N 7

static void sort(int *a, int low, int high) {
  if (low >= high)
    return;
  int pivot = a[high], split = low;
  for (int i = low; i < high; i++) {
    if (a[i] < pivot) {
      int swap = a[i];
      a[i] = a[split];
      a[split] = swap;
      split++;
    }
  }
  a[high] = a[split];
  a[split] = pivot;
  sort(a, low, split - 1);
  sort(a, split + 1, high);
}

int main(void) {
  int numbers[N];
  klee_make_symbolic(numbers, sizeof numbers, "numbers");
  sort(numbers, 0, N - 1);
  for (int i = 1; i < N; i++)
    assert(numbers[i - 1] <= numbers[i]);
  return 0;
}
