// The example of the paper on HEX, figure 1: with rules for a ring, and without. Deciding at the first use and not at the first load
// leaves one pointer less to decide than figure 2 has: the `next` of the second node is only returned.
//
// trial: entry=getList heap=lazy paths=7 expect=null-deref at=first
// trial: entry=getList heap=lazy paths=7 expect=null-deref at=second
// trial: entry=getList hex=hex_getlist.hex paths=6 expect=null-deref at=first
#include <stddef.h>

struct list {
  struct list *next;
};

static struct list other;

struct list *getList(struct list *list, int foo) {
  if (foo < 0) {
    struct list *first = list;
    struct list *second = first->next; //~ first
    return second->next;               //~ second
  }
  if (foo > 10)
    return NULL;
  if (foo > 5)
    return &other;
  return list;
}
