// Records that are copied whole through pointers which may lead to one of them.
//
// trial: entry=record_swap expect=clean branches=95 unreachable=1
// trial: entry=record_peek expect=clean branches=95 unreachable=2
//
// trial: entry=record_swap fault=NO_COPY expect=abort at=lost
#include <stdlib.h>

struct record {
  int key, value;
  struct record *next;
};

void record_swap(struct record *a, struct record *b) {
  if (!a || !b)
    return;
  struct record old = *a;
  *a = *b;
#ifdef FAULT_NO_COPY
  *b = *a;
#else
  *b = old;
#endif
  if (b->key != old.key)
    abort(); //~ lost
}

// What was copied before is what is found afterwards, if it is the same record.
int record_peek(const struct record *a, const struct record *b) {
  if (!a || !b)
    return 0;
  struct record old = *b;
  if (old.key > 5)
    return 1;
  if (a->key == 3)
    return a == b ? 2 : 3;
  if (a == b && (old.key != a->key || old.next != a->next))
    abort();
  return 4;
}
