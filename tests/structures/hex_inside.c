// Rules for a struct that is reached through one without rules, and structs inside of others.
//
// trial: entry=through hex=hex_inside.hex objects=node=2 expect=clean paths=3
// trial: entry=apart hex=hex_inside.hex objects=node=2 heap=lazy expect=clean
// trial: entry=apart hex=hex_inside.hex objects=node=2 expect=clean
#include <spelunk.h>
#include <stddef.h>

struct node {
  long key;
  struct node *next;
};

// No rule names it.
struct holder {
  long n;
  struct node *first;
};

struct outer {
  long n;
  struct node in;
  struct node *link;
};

// A list of one node at most: the rules are about nodes, wherever they come from.
int through(const struct holder *h) {
  if (!h)
    return 0;
  if (!h->first)
    return 1;
  spelunk_assert(!h->first->next);
  return 2;
}

// A node that was met before is not inside of what is met later: it would have two keys by the rules.
int apart(struct node *y, struct outer *x) {
  if (!y || !x)
    return 0;
  y->key = 1;
  x->in.key = 2;
  spelunk_assert(y->key == 1);
  return 1;
}
