// An index that comes from the input, into what a pointer of the input leads to. Whatever is added to a null pointer, an
// access through the sum is one through null, even if the sum is the address of something.
//
// trial: entry=find expect=null-deref at=bucket
#include <stddef.h>

struct entry {
  int key;
  struct entry *next;
};

struct table {
  struct entry **buckets;
  unsigned n;
};

struct entry *find(struct table *t, unsigned hash) {
  if (t == NULL || t->n == 0)
    return NULL;
  return t->buckets[hash % t->n]; //~ bucket
}
