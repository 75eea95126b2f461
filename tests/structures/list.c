// A singly linked list that knows its length; values in any order, repeated or not.
//
// trial: entry=list_push_front assume=list_small ensure=list_ok expect=clean branches=95 unreachable=1
// trial: entry=list_push_back assume=list_small ensure=list_ok expect=clean branches=95 unreachable=1
// trial: entry=list_insert_at assume=list_small ensure=list_ok expect=clean branches=95 unreachable=1
// trial: entry=list_remove assume=list_small ensure=list_ok check=leak expect=clean branches=95
// trial: entry=list_remove_all assume=list_small ensure=list_ok check=leak expect=clean branches=95
// trial: entry=list_find assume=list_small ensure=list_ok expect=clean branches=95
// trial: entry=list_reverse assume=list_small ensure=list_ok expect=clean branches=95
// trial: entry=list_concat assume=lists_small ensure=lists_apart expect=clean branches=95
// trial: entry=list_clear assume=list_small ensure=list_ok check=leak expect=clean branches=95
// trial: entry=list_reverse assume=list_ok ensure=list_ok depth=40 expect=clean
//
// trial: entry=list_insert_at assume=list_small ensure=list_ok fault=OFF_BY_ONE expect=null-deref at=walk
// trial: entry=list_remove assume=list_small ensure=list_ok fault=COUNT expect=ensure
// trial: entry=list_remove assume=list_small ensure=list_ok check=leak fault=LEAK expect=leak
// trial: entry=list_remove_all assume=list_small ensure=list_ok fault=USE_AFTER_FREE expect=use-after-free at=next
// trial: entry=list_reverse assume=list_small ensure=list_ok fault=LOST_LINK expect=ensure
// trial: entry=list_concat assume=lists_small ensure=lists_apart fault=SHARED expect=ensure
#include <stdlib.h>

#ifndef LIMIT
#define LIMIT 4 // elements of the longest list that a trial starts from
#endif

struct node {
  int value;
  struct node *next;
};

struct list {
  struct node *head;
  unsigned n;
};

// A second pointer follows at half the speed: on a cyclic chain the first one meets it.
int list_ok(const struct list *l) {
  if (!l)
    return 0;
  const struct node *slow = l->head;
  unsigned n = 0;
  for (const struct node *p = l->head; p; p = p->next) {
    if (n == l->n || (n > 0 && p == slow))
      return 0;
    if (n++ % 2)
      slow = slow->next;
  }
  return n == l->n;
}

static int within_limit(const struct list *l) { return !l || l->n <= LIMIT; }

int list_small(const struct list *l) { return within_limit(l) && list_ok(l); }

static const struct node *last_node(const struct list *l) {
  const struct node *p = l->head;
  while (p && p->next)
    p = p->next;
  return p;
}

// Chains that share any node share their last one.
int lists_apart(const struct list *a, const struct list *b) {
  if (!list_ok(a) || !list_ok(b) || a == b)
    return 0;
  return !a->head || last_node(a) != last_node(b);
}

int lists_small(const struct list *a, const struct list *b) {
  return within_limit(a) && within_limit(b) && lists_apart(a, b);
}

static struct node *new_node(int value, struct node *next) {
  struct node *p = malloc(sizeof *p);
  if (!p)
    abort();
  p->value = value;
  p->next = next;
  return p;
}

void list_push_front(struct list *l, int value) {
  l->head = new_node(value, l->head);
  l->n++;
}

void list_push_back(struct list *l, int value) {
  struct node **link = &l->head;
  while (*link)
    link = &(*link)->next;
  *link = new_node(value, NULL);
  l->n++;
}

// Inserts before the element with this index, or behind the last one. Returns whether there is such a place.
int list_insert_at(struct list *l, unsigned index, int value) {
#ifdef FAULT_OFF_BY_ONE
  if (index > l->n + 1)
#else
  if (index > l->n)
#endif
    return 0;
  if (index == 0) {
    list_push_front(l, value);
    return 1;
  }
  struct node *before = l->head;
  while (--index)
    before = before->next;
  before->next = new_node(value, before->next); //~ walk
  l->n++;
  return 1;
}

// Removes the first element with this value. Returns whether there was one.
int list_remove(struct list *l, int value) {
  for (struct node **link = &l->head; *link; link = &(*link)->next) {
    struct node *p = *link;
    if (p->value != value)
      continue;
    *link = p->next;
#ifndef FAULT_LEAK
    free(p);
#endif
#ifndef FAULT_COUNT
    l->n--;
#endif
    return 1;
  }
  return 0;
}

unsigned list_remove_all(struct list *l, int value) {
  unsigned removed = 0;
  struct node **link = &l->head;
  while (*link) {
    struct node *p = *link;
    if (p->value != value) {
      link = &p->next;
      continue;
    }
#ifdef FAULT_USE_AFTER_FREE
    free(p);
    *link = p->next; //~ next
#else
    *link = p->next;
    free(p);
#endif
    removed++;
  }
  l->n -= removed;
  return removed;
}

const struct node *list_find(const struct list *l, int value) {
  const struct node *p = l->head;
  while (p && p->value != value)
    p = p->next;
  return p;
}

void list_reverse(struct list *l) {
  struct node *done = NULL;
  struct node *rest = l->head;
  while (rest) {
    struct node *p = rest;
    rest = p->next;
    p->next = done;
    done = p;
  }
#ifndef FAULT_LOST_LINK
  l->head = done;
#endif
}

// Moves all elements of the second list behind those of the first.
void list_concat(struct list *to, struct list *from) {
  struct node **link = &to->head;
  while (*link)
    link = &(*link)->next;
  *link = from->head;
  to->n += from->n;
#ifndef FAULT_SHARED
  from->head = NULL;
  from->n = 0;
#endif
}

void list_clear(struct list *l) {
  struct node *p = l->head;
  while (p) {
    struct node *next = p->next;
    free(p);
    p = next;
  }
  l->head = NULL;
  l->n = 0;
}
