// Pointers that are computed: each belongs to the object that it was computed from, whatever the sum comes to.
//
// trial: entry=moved expect=out-of-bounds at=moved
// trial: entry=moved fault=CHECKED expect=clean
// trial: entry=far expect=out-of-bounds at=far paths=3
// trial: entry=far fault=CHECKED expect=clean paths=3
// trial: entry=stored param=p=array:4 expect=out-of-bounds at=stored
// trial: entry=stored param=p=array:4 fault=CHECKED expect=clean
// trial: entry=round_trip param=p=array:4 expect=out-of-bounds at=round
// trial: entry=round_trip param=p=array:4 fault=CHECKED expect=clean
// trial: entry=untagged expect=abort at=untagged
// trial: entry=linked expect=abort at=linked
// trial: entry=container expect=abort at=container
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct item {
  long key;
  struct item *next;
};

#ifdef FAULT_CHECKED
#define REQUIRE(condition) if (!(condition)) return 0
#else
#define REQUIRE(condition)
#endif

// The distance of two pointers, added to a third: as after `realloc`.
long moved(struct item *p, char *from, char *to) {
  if (!p || !from || !to)
    return 0;
  REQUIRE(from == to);
  return *(char *)((char *)p + (to - from)); //~ moved
}

static long table[8];
static long others[1 << 17];

// The constant part of the address is far from the object.
long far(unsigned long i) {
  others[0] = 1;
  if (i < 100000)
    return -1;
  REQUIRE(i < 100008);
  return table[i - 100000]; //~ far
}

// Through memory.
long stored(long *p, unsigned long i) {
  long *places[2] = {NULL, NULL};
  long **volatile at = places;
  if (!p)
    return 0;
  REQUIRE(i < 4);
  at[1] = p + i;
  return *at[1]; //~ stored
}

// As integers.
long round_trip(long *p, unsigned long i) {
  if (!p)
    return 0;
  REQUIRE(i < 4);
  uintptr_t number = (uintptr_t)p;
  number += i * sizeof *p;
  return *(long *)number; //~ round
}

// A tag that was put on and taken off.
int untagged(struct item *p) {
  uintptr_t marked = (uintptr_t)p | 1;
  struct item *plain = (struct item *)(marked & ~(uintptr_t)1);
  if (plain && plain->key == 77)
    abort(); //~ untagged
  return 0;
}

// An XOR of two pointers, from which one of them comes out again.
int linked(struct item *p, struct item *q) {
  uintptr_t both = (uintptr_t)p ^ (uintptr_t)q;
  struct item *other = (struct item *)(both ^ (uintptr_t)p);
  if (p && other && other->key == 5 && p->key == 6)
    abort(); //~ linked
  return 0;
}

// What a member is part of.
int container(struct item *p) {
  if (!p)
    return 0;
  struct item **member = &p->next;
  struct item *whole = (struct item *)((char *)member - offsetof(struct item, next));
  if (whole->key == 9 && whole == p)
    abort(); //~ container
  return 0;
}
