// Sorted lists of SGLIB: every function with sorted lists of up to three elements.
#include <stddef.h>
#include SGLIB_HEADER

typedef struct item {
  int key;
  struct item *next;
} item;

#define COMPARE(a, b) ((a)->key < (b)->key ? -1 : (a)->key > (b)->key)

SGLIB_DEFINE_SORTED_LIST_PROTOTYPES(item, COMPARE, next)
SGLIB_DEFINE_SORTED_LIST_FUNCTIONS(item, COMPARE, next)

// Whether a list ends after at most three elements, and is sorted.
static int ends(const item *list) {
  for (int n = 0; list; list = list->next)
    if (++n > 3 || (list->next && list->key > list->next->key))
      return 0;
  return 1;
}

static int has(const item *list, const item *elem) {
  for (; list; list = list->next)
    if (list == elem)
      return 1;
  return 0;
}

static int is_short(const item *list) {
  for (int n = 0; list; list = list->next)
    if (++n > 3)
      return 0;
  return 1;
}

int one(item *list) { return ends(list); }
int any_order(item *list) { return is_short(list); }
int apart_new(item *list, item *elem) { return elem && ends(list) && !elem->next && !has(list, elem); }
int inside(item *list, item *elem) { return elem && ends(list) && has(list, elem); }

// entry add apart_new
void add(item *list, item *elem) { sglib_item_add(&list, elem); }
// entry add_if_not_member apart_new
int add_if_not_member(item *list, item *elem) {
  item *found;
  return sglib_item_add_if_not_member(&list, elem, &found);
}
// entry delete inside
void delete(item *list, item *elem) { sglib_item_delete(&list, elem); }
// entry delete_if_member apart_new
int delete_if_member(item *list, item *elem) {
  item *found;
  return sglib_item_delete_if_member(&list, elem, &found);
}
// entry is_member apart_new
int is_member(item *list, item *elem) { return sglib_item_is_member(list, elem); }
// entry find_member apart_new
int find_member(item *list, item *elem) { return sglib_item_find_member(list, elem) != NULL; }
// entry sort any_order
void sort(item *list) { sglib_item_sort(&list); }
// entry len one
int len(item *list) { return sglib_item_len(list); }
// entry iterate one
int iterate(item *list) {
  struct sglib_item_iterator it;
  int sum = 0;
  for (item *p = sglib_item_it_init(&it, list); p; p = sglib_item_it_next(&it))
    sum += p->key != 0;
  return sum;
}
