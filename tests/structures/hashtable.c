// A hash table with chaining: a fixed number of buckets, each a list of entries.
//
// trial: entry=table_put assume=table_small ensure=table_ok expect=clean branches=95 unreachable=1
// trial: entry=table_get assume=table_small ensure=table_ok expect=clean branches=95
// trial: entry=table_remove assume=table_small ensure=table_ok check=leak expect=clean branches=95
// trial: entry=table_rename assume=table_small ensure=table_ok check=leak expect=clean branches=95
// trial: entry=table_longest assume=table_small ensure=table_ok expect=clean branches=95
// trial: entry=table_clear assume=table_small ensure=table_ok check=leak expect=clean branches=95
// trial: entry=table_put assume=table_ok ensure=table_ok depth=40 expect=clean
//
// trial: entry=table_put assume=table_small ensure=table_ok fault=DUPLICATE expect=ensure
// trial: entry=table_put assume=table_small ensure=table_ok fault=NEGATIVE_INDEX expect=out-of-bounds at=bucket
// trial: entry=table_remove assume=table_small ensure=table_ok fault=LOST_CHAIN expect=ensure
// trial: entry=table_rename assume=table_small ensure=table_ok fault=WRONG_BUCKET expect=ensure
// trial: entry=table_clear assume=table_small ensure=table_ok fault=OFF_BY_ONE expect=ensure
#include <stdlib.h>

#define BUCKETS 3

#ifndef LIMIT
#define LIMIT 3 // entries of the fullest table that a trial starts from
#endif

struct entry {
  int key;
  int value;
  struct entry *next;
};

struct table {
  struct entry *bucket[BUCKETS];
  unsigned n;
};

static int index_of(int key) {
#ifdef FAULT_NEGATIVE_INDEX
  return key % BUCKETS;
#else
  return (int)((unsigned)key % BUCKETS);
#endif
}

// An entry that the walk along a chain meets again has the key of one before it.
static int chain_ok(const struct entry *head, int bucket, unsigned *left) {
  unsigned length = 0;
  for (const struct entry *e = head; e; e = e->next) {
    if (*left == 0 || index_of(e->key) != bucket)
      return 0;
    const struct entry *before = head;
    for (unsigned i = 0; i < length; i++, before = before->next) {
      if (before->key == e->key)
        return 0;
    }
    length++;
    --*left;
  }
  return 1;
}

int table_ok(const struct table *t) {
  if (!t)
    return 0;
  unsigned left = t->n;
  for (int i = 0; i < BUCKETS; i++) {
    if (!chain_ok(t->bucket[i], i, &left))
      return 0;
  }
  return left == 0;
}

int table_small(const struct table *t) { return (!t || t->n <= LIMIT) && table_ok(t); }

// The link that points to the entry with this key, or to the end of its chain.
static struct entry **find_link(struct table *t, int key) {
  struct entry **link = &t->bucket[index_of(key)];
  while (*link && (*link)->key != key) //~ bucket
    link = &(*link)->next;
  return link;
}

// Returns whether the key is new.
int table_put(struct table *t, int key, int value) {
#ifdef FAULT_DUPLICATE
  struct entry **link = &t->bucket[index_of(key)];
  if (*link && (*link)->key == key) {
#else
  struct entry **link = find_link(t, key);
  if (*link) {
#endif
    (*link)->value = value;
    return 0;
  }
  struct entry *e = malloc(sizeof *e);
  if (!e)
    abort();
  e->key = key;
  e->value = value;
  e->next = t->bucket[index_of(key)];
  t->bucket[index_of(key)] = e;
  t->n++;
  return 1;
}

int table_get(const struct table *t, int key, int otherwise) {
  for (const struct entry *e = t->bucket[index_of(key)]; e; e = e->next) {
    if (e->key == key)
      return e->value;
  }
  return otherwise;
}

int table_remove(struct table *t, int key) {
  struct entry **link = find_link(t, key);
  struct entry *e = *link;
  if (!e)
    return 0;
#ifdef FAULT_LOST_CHAIN
  *link = NULL;
#else
  *link = e->next;
#endif
  free(e);
  t->n--;
  return 1;
}

// Gives the entry of one key another key, unless that is taken.
int table_rename(struct table *t, int from, int to) {
  struct entry **link = find_link(t, from);
  struct entry *e = *link;
  if (!e || *find_link(t, to))
    return 0;
#ifndef FAULT_WRONG_BUCKET
  *link = e->next;
  e->next = t->bucket[index_of(to)];
  t->bucket[index_of(to)] = e;
#endif
  e->key = to;
  return 1;
}

unsigned table_longest(const struct table *t) {
  unsigned longest = 0;
  for (int i = 0; i < BUCKETS; i++) {
    unsigned length = 0;
    for (const struct entry *e = t->bucket[i]; e; e = e->next)
      length++;
    if (length > longest)
      longest = length;
  }
  return longest;
}

void table_clear(struct table *t) {
#ifdef FAULT_OFF_BY_ONE
  for (int i = 0; i < BUCKETS - 1; i++) {
#else
  for (int i = 0; i < BUCKETS; i++) {
#endif
    struct entry *e = t->bucket[i];
    while (e) {
      struct entry *next = e->next;
      free(e);
      e = next;
    }
    t->bucket[i] = NULL;
  }
  t->n = 0;
}
