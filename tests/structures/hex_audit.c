// What a check of the input sees: the input as it was given, whatever the function has written to it before.
//
// trial: entry=move heap=lazy objects=node=3 audit=consistent paths=9 expect=null-deref
// trial: entry=around hex=hex_audit.hex param=s=nonnull audit=ring_ok paths=3 expect=clean
// trial: entry=has_next hex=hex_audit_partly.hex param=s=nonnull audit=ring_ok paths=2 expect=clean
#include <spelunk.h>
#include <stddef.h>

struct node {
  struct node *first, *last, *next, *prev;
};

struct list {
  struct node *head;
};

int consistent(const struct node *a, const struct node *b) {
  if (!a || !b)
    return 1;
  return a->first == a->last && b->first == b->last;
}

int move(struct node *a, struct node *b) {
  struct node *p = b->first;
  if (a->last)
    return 3;
  a->last = p;
  return 1;
}

int ring_ok(const struct list *s) {
  const struct node *p = s->head;
  do {
    if (p->next->prev != p)
      return 0;
    p = p->next;
  } while (p != s->head);
  return 1;
}

// A parameter that is never null is no decision, and is known to later ones all the same.
int around(const struct list *s) {
  struct node *p = s->head->next;
  if (p == s->head)
    return 0;
  if (p->next == s->head)
    return 1;
  return 2;
}

// What the path leaves open has to become a ring. The smallest comes first: there is no end of larger ones that are none.
int maybe_ring(const struct list *s) {
  if (!spelunk_is_decided(s->head))
    return 1;
  return s->head && (!spelunk_is_decided(s->head->next) || s->head->next);
}

int has_next(const struct list *s) { return s->head->next != s->head; }
