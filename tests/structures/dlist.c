// A doubly linked list with both ends.
//
// trial: entry=dlist_push_front assume=dlist_small ensure=dlist_ok expect=clean branches=95 unreachable=1
// trial: entry=dlist_push_back assume=dlist_small ensure=dlist_ok expect=clean branches=95 unreachable=1
// trial: entry=dlist_insert_after assume=dlist_owns_small ensure=dlist_ok expect=clean branches=95 unreachable=1
// trial: entry=dlist_remove assume=dlist_owns_small ensure=dlist_ok check=leak expect=clean branches=95
// trial: entry=dlist_remove_value assume=dlist_small ensure=dlist_ok check=leak expect=clean branches=95
// trial: entry=dlist_move_to_front assume=dlist_owns_small ensure=dlist_ok expect=clean branches=95 unreachable=1
// trial: entry=dlist_reverse assume=dlist_small ensure=dlist_ok expect=clean branches=95
// trial: entry=dlist_is_palindrome assume=dlist_small ensure=dlist_ok expect=clean branches=95
// trial: entry=dlist_remove_value assume=dlist_ok ensure=dlist_ok depth=40 expect=clean
//
// trial: entry=dlist_push_back assume=dlist_small ensure=dlist_ok fault=NULL_CHECK expect=null-deref at=old-tail
// trial: entry=dlist_remove assume=dlist_owns_small ensure=dlist_ok fault=TAIL expect=ensure
// trial: entry=dlist_insert_after assume=dlist_owns_small ensure=dlist_ok fault=LOST_LINK expect=ensure
// trial: entry=dlist_remove_value assume=dlist_small ensure=dlist_ok fault=USE_AFTER_FREE expect=use-after-free at=step
#include <stdlib.h>

#ifndef LIMIT
#define LIMIT 4 // elements of the longest list that a trial starts from
#endif

struct dnode {
  int value;
  struct dnode *prev, *next;
};

struct dlist {
  struct dnode *head, *tail;
  unsigned n;
};

// A node that the walk meets again would need two predecessors, so that the back links end it on any input.
int dlist_ok(const struct dlist *l) {
  if (!l)
    return 0;
  const struct dnode *prev = NULL;
  unsigned n = 0;
  for (const struct dnode *p = l->head; p; p = p->next) {
    if (n++ == l->n || p->prev != prev)
      return 0;
    prev = p;
  }
  return l->tail == prev && n == l->n;
}

int dlist_small(const struct dlist *l) { return (!l || l->n <= LIMIT) && dlist_ok(l); }

// For operations on a node of the list.
int dlist_owns_small(const struct dlist *l, const struct dnode *node) {
  if (!node || !dlist_small(l))
    return 0;
  const struct dnode *p = l->head;
  while (p && p != node)
    p = p->next;
  return p == node;
}

static struct dnode *new_dnode(int value, struct dnode *prev, struct dnode *next) {
  struct dnode *p = malloc(sizeof *p);
  if (!p)
    abort();
  p->value = value;
  p->prev = prev;
  p->next = next;
  return p;
}

void dlist_push_front(struct dlist *l, int value) {
  struct dnode *p = new_dnode(value, NULL, l->head);
  if (l->head)
    l->head->prev = p;
  else
    l->tail = p;
  l->head = p;
  l->n++;
}

void dlist_push_back(struct dlist *l, int value) {
  struct dnode *p = new_dnode(value, l->tail, NULL);
#ifdef FAULT_NULL_CHECK
  l->tail->next = p; //~ old-tail
#else
  if (l->tail)
    l->tail->next = p;
  else
    l->head = p;
#endif
  l->tail = p;
  l->n++;
}

void dlist_insert_after(struct dlist *l, struct dnode *at, int value) {
  struct dnode *p = new_dnode(value, at, at->next);
#ifdef FAULT_LOST_LINK
  if (!at->next)
    l->tail = p;
#else
  if (at->next)
    at->next->prev = p;
  else
    l->tail = p;
#endif
  at->next = p;
  l->n++;
}

static void unlink_node(struct dlist *l, struct dnode *p) {
  if (p->prev)
    p->prev->next = p->next;
  else
    l->head = p->next;
#ifdef FAULT_TAIL
  if (p->next)
    p->next->prev = p->prev;
#else
  if (p->next)
    p->next->prev = p->prev;
  else
    l->tail = p->prev;
#endif
}

void dlist_remove(struct dlist *l, struct dnode *node) {
  unlink_node(l, node);
  l->n--;
  free(node);
}

// Removes every element with this value. Returns how many there were.
unsigned dlist_remove_value(struct dlist *l, int value) {
  unsigned before = l->n;
#ifdef FAULT_USE_AFTER_FREE
  for (struct dnode *p = l->head; p; p = p->next) { //~ step
#else
  for (struct dnode *p = l->head, *next; p; p = next) {
    next = p->next;
#endif
    if (p->value == value)
      dlist_remove(l, p);
  }
  return before - l->n;
}

// What a cache does with the entry that was used last.
void dlist_move_to_front(struct dlist *l, struct dnode *node) {
  if (l->head == node)
    return;
  unlink_node(l, node);
  node->prev = NULL;
  node->next = l->head;
  l->head->prev = node;
  l->head = node;
}

void dlist_reverse(struct dlist *l) {
  struct dnode *head = l->head;
  for (struct dnode *p = head; p; p = p->prev) {
    struct dnode *next = p->next;
    p->next = p->prev;
    p->prev = next;
  }
  l->head = l->tail;
  l->tail = head;
}

int dlist_is_palindrome(const struct dlist *l) {
  const struct dnode *front = l->head;
  const struct dnode *back = l->tail;
  for (unsigned i = 0; i < l->n / 2; i++) {
    if (front->value != back->value)
      return 0;
    front = front->next;
    back = back->prev;
  }
  return 1;
}
