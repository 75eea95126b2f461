// Which of two addresses is the larger one: objects may be in any order in memory.
// trial: entry=order expect=clean branches=100 paths=4
// trial: entry=sorted expect=clean branches=100 paths=9
// trial: entry=move param=to=bytes:n,from=bytes:n expect=clean branches=100 paths=18
// trial: entry=move fault=DIRECTION param=to=bytes:n,from=bytes:n expect=assert at=moved
// trial: entry=backwards param=to=bytes:n<=3,from=bytes:n<=3 expect=clean paths=10
// trial: entry=richer expect=clean branches=100
#include <assert.h>

struct account {
  int balance;
  struct account *next;
};

int order(struct account *a, struct account *b) {
  if (!a || !b)
    return 0;
  if (a < b)
    return 1;
  return a > b ? 2 : 3;
}

// What is found through pointers is not where their own objects are.
int sorted(struct account *a, struct account *b, struct account *c) {
  if (!a || !b || !c)
    return 0;
  if (c < b && b < a) {
    if (a->balance == 1 && b->balance == 2 && c->balance == 3)
      return 1;
    return 2;
  }
  return 3;
}

void move(char *to, const char *from, unsigned char n) {
  char first = n ? from[0] : 0;
#ifdef FAULT_DIRECTION
  if (to > from)
#else
  if (to <= from)
#endif
  {
    for (int i = 0; i < n; i++)
      to[i] = from[i];
  } else {
    for (int i = n; i-- > 0;)
      to[i] = from[i];
  }
#ifdef FAULT_DIRECTION
  assert(to <= from || n < 2 || first != 7); //~ moved
#endif
  (void)first;
}

// Both have as many bytes as a number says, whether they share them or not.
void backwards(char *to, const char *from, unsigned char n) {
  char first = n ? from[0] : 0;
  if (to > from)
    return;
  for (int i = n; i-- > 0;)
    to[i] = from[i];
  (void)first;
}

// A tie is broken by address, among objects that may be the same.
int richer(struct account *a, struct account *b) {
  if (!a || !b || !a->next || !b->next)
    return 0;
  if (a->next->balance != b->next->balance)
    return a->next->balance > b->next->balance ? 1 : 2;
  return a->next > b->next ? 3 : 4;
}
