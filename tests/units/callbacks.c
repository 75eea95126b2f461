// Pointers to functions: stubs that return input, or functions of the program.
//
// trial: entry=sort3 param=a=array:3,a=nonnull expect=clean
// trial: entry=sort3 param=a=array:3,a=nonnull,cmp=any ensure=is_ascending expect=ensure
// trial: entry=sort3 param=a=array:3,a=nonnull,cmp=by_value ensure=is_ascending expect=clean
// trial: entry=sort3 param=a=array:3,a=nonnull,cmp=null expect=bad-call at=compared
// trial: entry=consistent expect=assert at=inconsistent
// trial: entry=dispatch expect=assert at=answer
// trial: entry=dispatch param=d->ops.open=null expect=bad-call at=missing
// trial: entry=dispatch fault=ASKED expect=bad-call at=missing
// trial: entry=longest max-paths=40 expect=clean
// trial: entry=value_of expect=null-deref at=found says=div-by-zero
#include <assert.h>
#include <string.h>

typedef int compare(const int *, const int *);

int by_value(const int *a, const int *b) { return (*a > *b) - (*a < *b); }
int downwards(const int *a, const int *b) { return by_value(b, a); }
long other_type(const int *a) { return *a; }

static void order(int *a, int *b, compare *cmp) {
  if (cmp(a, b) > 0) { //~ compared
    int swapped = *a;
    *a = *b;
    *b = swapped;
  }
}

void sort3(int *a, compare *cmp) {
  order(a, a + 1, cmp);
  order(a + 1, a + 2, cmp);
  order(a, a + 1, cmp);
}

int is_ascending(int *a) { return a[0] <= a[1] && a[1] <= a[2]; }

// A stub may answer the same question in two ways.
int consistent(int (*is_ready)(void)) {
  if (is_ready())
    assert(is_ready()); //~ inconsistent
  return 0;
}

struct device {
  int id;
  struct {
    int (*open)(struct device *, int);
    void (*close)(struct device *);
  } ops;
};

int dispatch(struct device *d) {
  if (!d)
    return -1;
#ifdef FAULT_ASKED
  if (!d->ops.open)
    d->id = 0;
#endif
  int handle = d->ops.open(d, 3); //~ missing
  assert(handle != 77);           //~ answer
  d->ops.close(d);
  return handle;
}

// What it returns is an input as C declares it: a string ends.
size_t longest(void *from, char *(*next)(void *from)) {
  size_t max = 0;
  for (char *line; (line = next(from)) != NULL;)
    if (strlen(line) > max)
      max = strlen(line);
  return max;
}

// And a structure has members.
struct found {
  int value;
  struct found *other;
};

int value_of(struct found *(*find)(int key), int key) {
  struct found *it = find(key);
  if (it->value == 7) //~ found
    return 1;
  if (it->other && it->other->value == 42)
    return 100 / (it->other->value - 42);
  return 0;
}
