// Functions that nobody defines return an input, each call its own.
#include <assert.h>

struct pair {
  int first;
  char second;
};

struct large {
  long items[5];
};

extern int measure(int);
extern double weight(void);
extern struct pair both(void);
extern struct large many(void);
extern char *lookup(const char *);
extern __int128 wide(void);
extern void notify(int);

static int numbers(void) {
  if (measure(1) == 1234 && measure(2) == 4321)
    assert(weight() != 2.5); //~ BUG(assert)
  return 0;
}

static int structures(void) {
  struct pair pair = both();
  if (pair.first == 7 && pair.second == 'x')
    assert(many().items[4] != 99); //~ BUG(assert)
  return 0;
}

static int pointers(void) {
  char *found = lookup("key");
  if (!found)
    return 1;
  return found[3] == 'q' ? 10 / (wide() != (__int128)1 << 90) : 0; //~ BUG(div-by-zero)
}

int main(void) {
  notify(3);
  int (*indirect)(int) = measure;
  switch (indirect(0)) {
  case 1:
    return numbers();
  case 2:
    return structures();
  case 3:
    return pointers();
  default:
    return 0;
  }
}
