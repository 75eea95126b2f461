// A list whose nodes hold a `void *`: `--param` says what it leads to, or the code does, and rules speak of it as of any other pointer.
//
// trial: entry=weigh hex=hex_payload.hex param=l->data=pay objects=cell=3 audit=ok expect=clean paths=4
// trial: entry=weigh hex=hex_payload.hex objects=cell=3 audit=ok expect=clean paths=4
#include <assert.h>
#include <stddef.h>

struct cell;

struct pay {
  unsigned char weight;
  struct cell *owner;
};

struct cell {
  struct cell *next;
  void *data;
};

int ok(const struct cell *l) {
  for (const struct cell *p = l; p; p = p->next) {
    const struct pay *pay = p->data;
    if (!pay || pay->owner != p)
      return 0;
    for (const struct cell *q = l; q != p; q = q->next) {
      if (q == p->next)
        return 0;
    }
    if (p->next == p)
      return 0;
  }
  return 1;
}

int weigh(struct cell *l) {
  int sum = 0;
  for (; l; l = l->next) {
    const struct pay *pay = l->data;
    assert(pay->owner == l);
    sum += pay->weight;
  }
  return sum;
}
