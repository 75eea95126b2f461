// Hash tables of SGLIB whose buckets are lists: sequences of calls with three elements, which may be added more than once.
#include <stddef.h>
#include SGLIB_HEADER

#define BUCKETS 4

typedef struct item {
  int key;
  struct item *next;
} item;

#define COMPARE(a, b) ((a)->key < (b)->key ? -1 : (a)->key > (b)->key)

static unsigned hash(item *elem) { return (unsigned)elem->key; }

SGLIB_DEFINE_LIST_PROTOTYPES(item, COMPARE, next)
SGLIB_DEFINE_LIST_FUNCTIONS(item, COMPARE, next)
SGLIB_DEFINE_HASHED_CONTAINER_PROTOTYPES(item, BUCKETS, hash)
SGLIB_DEFINE_HASHED_CONTAINER_FUNCTIONS(item, BUCKETS, hash)

struct table {
  item *buckets[BUCKETS];
  item items[3];
};

void table_init(struct table *t) {
  sglib_hashed_item_init(t->buckets);
  for (int i = 0; i < 3; i++)
    t->items[i] = (item){i / 2, NULL};
}

static item *chosen(struct table *t, unsigned char which) { return &t->items[which % 3]; }

// sequence table_init,add,add_if_not_member,is_member,find_member,delete_if_member,iterate
void add(struct table *t, unsigned char which) { sglib_hashed_item_add(t->buckets, chosen(t, which)); }

int add_if_not_member(struct table *t, unsigned char which) {
  item *found;
  return sglib_hashed_item_add_if_not_member(t->buckets, chosen(t, which), &found);
}

int is_member(struct table *t, unsigned char which) { return sglib_hashed_item_is_member(t->buckets, chosen(t, which)); }

int find_member(struct table *t, unsigned char which) {
  return sglib_hashed_item_find_member(t->buckets, chosen(t, which)) != NULL;
}

int delete_if_member(struct table *t, unsigned char which) {
  item *found;
  return sglib_hashed_item_delete_if_member(t->buckets, chosen(t, which), &found);
}

int iterate(struct table *t) {
  struct sglib_hashed_item_iterator it;
  int last = -1;
  for (item *p = sglib_hashed_item_it_init(&it, t->buckets); p; p = sglib_hashed_item_it_next(&it))
    last = p->key;
  return last;
}
