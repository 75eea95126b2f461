// Variables of the program as inputs.
//
// trial: entry=limited expect=clean
// trial: entry=limited global=limit expect=div-by-zero at=quotient
// trial: entry=second global=first expect=null-deref at=next
// trial: entry=second global=first=nonnull,table expect=assert at=table
// trial: entry=second global=all expect=null-deref at=next
// trial: entry=counted_calls global=counted_calls.n expect=assert at=calls
#include <assert.h>

static int limit = 10;

struct node {
  int key;
  struct node *next;
};

static struct node only = {1, &only};
struct node *first = &only;
const int fixed = 3;
short table[4];

int limited(int x) {
  return x / limit; //~ quotient
}

int second(void) {
  int key = first->next->key; //~ next
  if (table[2] == 300)
    assert(key == fixed); //~ table
  return key;
}

void counted_calls(void) {
  static unsigned n;
  assert(++n != 1000); //~ calls
}
