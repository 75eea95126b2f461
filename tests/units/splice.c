// A function that takes two lists: both are built by calls. A list that was made up could have a count that is wrong.
//
// trial: sequence=list_new,list_push,list_splice,list_count length=5 expect=clean
// trial: sequence=list_new,list_push,list_splice,list_count length=5 fault=KEPT expect=assert at=wrong

#include <assert.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
struct list { struct node *first; int count; };

struct list *list_new(void)
{
  struct list *l = malloc(sizeof *l);
  if (!l)
    abort();
  l->first = NULL;
  l->count = 0;
  return l;
}

void list_push(struct list *l, int value)
{
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->next = l->first;
  n->value = value;
  l->first = n;
  l->count++;
}

/* Moves all of the other list to the front. */
void list_splice(struct list *l, struct list *other)
{
  while (other->first) {
    struct node *n = other->first;
    other->first = n->next;
    n->next = l->first;
    l->first = n;
    l->count++;
  }
#ifndef FAULT_KEPT
  other->count = 0;
#endif
}

int list_count(const struct list *l)
{
  int n = 0;
  for (struct node *at = l->first; at; at = at->next)
    n++;
  assert(n == l->count); //~ wrong
  return n;
}
