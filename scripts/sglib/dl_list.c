// Doubly linked lists of SGLIB: every function with lists of up to three elements, given by their first one.
#include <stddef.h>
#include SGLIB_HEADER

typedef struct item {
  int key;
  struct item *prev, *next;
} item;

#define COMPARE(a, b) ((a)->key < (b)->key ? -1 : (a)->key > (b)->key)

SGLIB_DEFINE_DL_LIST_PROTOTYPES(item, COMPARE, prev, next)
SGLIB_DEFINE_DL_LIST_FUNCTIONS(item, COMPARE, prev, next)

// Whether a list starts here, ends after at most three elements, and each element knows the one before it.
static int is_list(const item *list) {
  const item *before = NULL;
  for (int n = 0; list; before = list, list = list->next)
    if (++n > 3 || list->prev != before)
      return 0;
  return 1;
}

static int has(const item *list, const item *elem) {
  for (; list; list = list->next)
    if (list == elem)
      return 1;
  return 0;
}

int one(item *list) { return is_list(list); }
int apart(item *list, item *other) { return is_list(list) && is_list(other) && !(other && has(list, other)); }
int apart_new(item *list, item *elem) { return elem && is_list(list) && !elem->next && !elem->prev && !has(list, elem); }
int inside(item *list, item *elem) { return elem && is_list(list) && has(list, elem); }

// entry add apart_new
void add(item *list, item *elem) { sglib_item_add(&list, elem); }
// entry add_before apart_new
void add_before(item *list, item *elem) { sglib_item_add_before(&list, elem); }
// entry add_after apart_new
void add_after(item *list, item *elem) { sglib_item_add_after(&list, elem); }
// entry add_if_not_member apart_new
int add_if_not_member(item *list, item *elem) {
  item *found;
  return sglib_item_add_if_not_member(&list, elem, &found);
}
// entry add_before_if_not_member apart_new
int add_before_if_not_member(item *list, item *elem) {
  item *found;
  return sglib_item_add_before_if_not_member(&list, elem, &found);
}
// entry add_after_if_not_member apart_new
int add_after_if_not_member(item *list, item *elem) {
  item *found;
  return sglib_item_add_after_if_not_member(&list, elem, &found);
}
// entry concat apart
void concat(item *list, item *other) { sglib_item_concat(&list, other); }
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
// entry get_first one
int get_first(item *list) { return sglib_item_get_first(list) != NULL; }
// entry get_last one
int get_last(item *list) { return sglib_item_get_last(list) != NULL; }
// entry sort one
void sort(item *list) { sglib_item_sort(&list); }
// entry len one
int len(item *list) { return sglib_item_len(list); }
// entry reverse one
void reverse(item *list) { sglib_item_reverse(&list); }
// entry iterate one
int iterate(item *list) {
  struct sglib_item_iterator it;
  int sum = 0;
  for (item *p = sglib_item_it_init(&it, list); p; p = sglib_item_it_next(&it))
    sum += p->key != 0;
  return sum;
}
