// Sequences of calls, one of which takes a second structure: rules keep that one valid, whichever call it is given to.
//
// trial: sequence=list_init,list_push,list_append length=3 hex=hex_sequence.hex objects=node=2 ensure=list_ok expect=clean
// trial: sequence=list_init,list_push,list_append length=3 hex=hex_sequence.hex objects=node=2 ensure=list_ok fault=COUNT expect=ensure
#include <assert.h>
#include <stdlib.h>

typedef struct node {
  struct node *next;
  int key;
} node;

typedef struct list {
  node *head;
  unsigned n;
} list;

void list_init(list *l) { *l = (list){NULL, 0}; }

void list_push(list *l, int key) {
  node *p = malloc(sizeof *p);
  if (!p)
    abort();
  *p = (node){l->head, key};
  l->head = p;
  l->n++;
}

// Takes nodes over. In a ring it would never come to the end.
void list_append(list *l, node *chain) {
  node **end = &l->head;
  while (*end)
    end = &(*end)->next;
  *end = chain;
#ifdef FAULT_COUNT
  l->n += chain != NULL;
#else
  for (; chain; chain = chain->next)
    l->n++;
#endif
}

int list_ok(const list *l) {
  unsigned n = 0;
  for (const node *p = l->head; p; p = p->next)
    n++;
  return n == l->n;
}
