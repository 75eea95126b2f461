// Arrays with as many elements as another parameter says.
//
// trial: entry=insertion_sort ensure=is_sorted param=a=array:n<=4 expect=clean paths=33
// trial: entry=insertion_sort ensure=is_sorted param=a=array:n<=4 fault=BEGIN expect=ensure
// trial: entry=sum param=a=array:n expect=clean paths=9
// trial: entry=sum param=a=array:n fault=END expect=out-of-bounds at=element
// trial: entry=ends_with param=p=bytes:len<=16 fault=BEHIND expect=out-of-bounds at=behind
// trial: entry=ends_with param=p=bytes:len<=16 expect=clean
// trial: entry=marked param=v=array:n<=3 fault=LAST expect=out-of-bounds at=last
// trial: entry=sum param=a=array:n<=4,n=3 expect=clean paths=1
// trial: entry=to_list param=numbers=array:count<=3 expect=clean paths=40
// trial: entry=at param=a=array:n expect=out-of-bounds at=at paths=17
#include <stddef.h>
#include <stdlib.h>

void insertion_sort(int *a, int n) {
#ifdef FAULT_BEGIN
  int first = 2;
#else
  int first = 1;
#endif
  for (int i = first; i < n; i++)
    for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
      int swapped = a[j];
      a[j] = a[j - 1];
      a[j - 1] = swapped;
    }
}

int is_sorted(int *a, int n) {
  for (int i = 1; i < n; i++)
    if (a[i - 1] > a[i])
      return 0;
  return 1;
}

unsigned sum(const unsigned *a, unsigned char n) {
  unsigned total = 0;
#ifdef FAULT_END
  for (int i = 0; i <= n; i++)
#else
  for (int i = 0; i < n; i++)
#endif
    total += a[i]; //~ element
  return total;
}

int ends_with(const unsigned char *p, size_t len) {
  if (len > 5 && p[5] == 'x' && p[len - 1] == 'y') {
#ifdef FAULT_BEHIND
    return p[len]; //~ behind
#else
    return 1;
#endif
  }
  return 0;
}

struct item {
  int key;
  struct item *mark;
};

int marked(struct item *v, short n) {
  int count = 0;
  for (int i = 0; i < n; i++)
    if (v[i].mark && v[i].mark->key == 3)
      count++;
#ifdef FAULT_LAST
  if (count == 2)
    return v[n].key; //~ last
#endif
  return count;
}

struct number {
  struct number *next;
  int kind;
  double value;
};

/* Between two elements there is enough to do for a snapshot. */
struct number *to_list(const int *numbers, int count) {
  struct number *first = NULL, **last = &first;
  for (int i = 0; numbers && i < count; i++) {
    struct number *number = calloc(1, sizeof *number);
    if (!number)
      break;
    number->value = numbers[i];
    if (number->value > 100.0)
      number->kind = 1;
    else if (number->value < -5.0)
      number->kind = 2;
    for (unsigned long bits = 1ul << 63; bits; bits >>= 1)
      number->value += 0.25;
    *last = number;
    last = &number->next;
  }
  return first;
}

int at(const int *a, size_t n, size_t i) {
  return a[i]; //~ at
}
