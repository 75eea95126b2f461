// Sorting and searching in arrays. qsort is a top-down merge sort that compares in the same order as glibc's, so that a
// comparison function which is no order, or counts its calls, gives the same result.

#include "rt.h"

#include <search.h>

typedef int comparison(const void *, const void *, void *);

// Elements larger than this are sorted through pointers.
enum { LARGE_ELEMENT = 32 };

struct sorter {
  size_t width;
  comparison *compare;
  void *context;
  int indirect;   // the array holds pointers to the elements
  char *scratch;  // as large as the array
};

static int in_order(const struct sorter *sorter, const char *left, const char *right) {
  if (sorter->indirect) return sorter->compare(*(void *const *)left, *(void *const *)right, sorter->context) <= 0;
  return sorter->compare(left, right, sorter->context) <= 0;
}

static void merge_sort(const struct sorter *sorter, char *array, size_t n) {
  size_t width = sorter->width;
  size_t n_left = n / 2, n_right = n - n_left;
  char *left = array, *right = array + n_left * width, *out = sorter->scratch;
  if (n <= 1) return;
  merge_sort(sorter, left, n_left);
  merge_sort(sorter, right, n_right);
  while (n_left > 0 && n_right > 0) {
    if (in_order(sorter, left, right)) {
      memcpy(out, left, width);
      left += width;
      n_left--;
    } else {
      memcpy(out, right, width);
      right += width;
      n_right--;
    }
    out += width;
  }
  if (n_left > 0) memcpy(out, left, n_left * width);
  // What is left on the right stands in its place already.
  memcpy(array, sorter->scratch, (n - n_right) * width);
}

static void swap_bytes(char *a, char *b, size_t n) {
  while (n-- > 0) {
    char byte = *a;
    *a++ = *b;
    *b++ = byte;
  }
}

// For when there is no memory: slow, but in place.
static void insertion_sort(const struct sorter *sorter, char *array, size_t n) {
  size_t width = sorter->width;
  for (size_t i = 1; i < n; i++) {
    for (char *p = array + i * width; p > array && !in_order(sorter, p - width, p); p -= width) {
      swap_bytes(p - width, p, width);
    }
  }
}

// Sorts pointers to the elements, and then brings the elements into their order.
static int sort_indirectly(struct sorter sorter, char *array, size_t n) {
  size_t element = sorter.width;
  char *memory = malloc(2 * n * sizeof(char *) + n * element);
  char **pointers = (char **)memory;
  char *sorted = memory + 2 * n * sizeof(char *);
  if (!memory) return -1;
  for (size_t i = 0; i < n; i++) pointers[i] = array + i * element;
  sorter.width = sizeof(char *);
  sorter.indirect = 1;
  sorter.scratch = memory + n * sizeof(char *);
  merge_sort(&sorter, memory, n);
  for (size_t i = 0; i < n; i++) memcpy(sorted + i * element, pointers[i], element);
  memcpy(array, sorted, n * element);
  free(memory);
  return 0;
}

static int sort_directly(struct sorter sorter, char *array, size_t n) {
  char small[1024];
  size_t size = n * sorter.width;
  sorter.scratch = size <= sizeof small ? small : malloc(size);
  if (!sorter.scratch) return -1;
  merge_sort(&sorter, array, n);
  if (sorter.scratch != small) free(sorter.scratch);
  return 0;
}

static void sort(void *array, size_t n, size_t width, comparison *compare, void *context) {
  struct sorter sorter = {.width = width, .compare = compare, .context = context};
  int failed;
  if (n <= 1 || width == 0) return;
  failed = width > LARGE_ELEMENT ? sort_indirectly(sorter, array, n) : sort_directly(sorter, array, n);
  if (failed) insertion_sort(&sorter, array, n);
}

void qsort_r(void *array, size_t n, size_t width, comparison *compare, void *context) {
  sort(array, n, width, compare, context);
}

struct plain {
  int (*compare)(const void *, const void *);
};

static int compare_plainly(const void *left, const void *right, void *context) {
  return ((struct plain *)context)->compare(left, right);
}

void qsort(void *array, size_t n, size_t width, int (*compare)(const void *, const void *)) {
  struct plain plain = {compare};
  sort(array, n, width, compare_plainly, &plain);
}

void *bsearch(const void *key, const void *array, size_t n, size_t width,
              int (*compare)(const void *, const void *)) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)array + middle * width;
    int order = compare(key, element);
    if (order == 0) return (void *)element;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return NULL;
}

void *lfind(const void *key, const void *array, size_t *n, size_t width, int (*compare)(const void *, const void *)) {
  const char *element = array;
  for (size_t i = 0; i < *n; i++, element += width) {
    if (compare(key, element) == 0) return (void *)element;
  }
  return NULL;
}

void *lsearch(const void *key, void *array, size_t *n, size_t width, int (*compare)(const void *, const void *)) {
  void *found = lfind(key, array, n, width, compare);
  if (found) return found;
  return memcpy((char *)array + (*n)++ * width, key, width);
}
