// Parse trees with lists of children: what the subjects about them share.
//
// The root has neither parent nor siblings. `type_ok` says of a node whether its type fits its children, of which there are n;
// `type_may_be_ok` the same when there may be more. Both are one condition, without a decision about the types.
#ifndef PARSE_TREE_H
#define PARSE_TREE_H

#include "subject.h"

struct node {
  int type, name;
  struct node *parent, *first, *last, *next;
};

static int type_ok(const struct node *p, unsigned n);
static int type_may_be_ok(const struct node *p, unsigned n);

// The parents end the walk on any heap: a node is only met as a child of its parent. A second pointer at half the speed ends
// that of a list of children that circles.
static int subtree_ok(const struct node *p) {
  const struct node *last = NULL, *slow = p->first;
  unsigned n = 0;
  for (const struct node *child = p->first; child; child = child->next) {
    if (child->parent != p || (n && child == slow))
      return 0;
    if (n++ % 2)
      slow = slow->next;
    last = child;
  }
  if (p->last != last || !type_ok(p, n))
    return 0;
  for (const struct node *child = p->first; child; child = child->next) {
    if (!subtree_ok(child))
      return 0;
  }
  return 1;
}

static int tree_ok(const struct node *root) { return !root || (!root->parent && !root->next && subtree_ok(root)); }

// A node and those above it.
struct way {
  const struct node *node;
  const struct way *up;
};

// The same for a heap that is partly decided. A node that is its own ancestor ends it where parents are open.
static int maybe_subtree(const struct node *p, const struct way *up) {
  const struct node *last = NULL, *slow = p->first, *child = p->first;
  const struct way here = {p, up};
  unsigned n = 0;
  for (; up; up = up->up) {
    if (up->node == p)
      return 0;
  }
  for (; spelunk_is_decided(child) && child; child = child->next) {
    if ((spelunk_is_decided(child->parent) && child->parent != p) || (n && child == slow))
      return 0;
    if (n++ % 2)
      slow = slow->next;
    last = child;
  }
  if (spelunk_is_decided(child)) {
    if ((spelunk_is_decided(p->last) && p->last != last) || !type_ok(p, n))
      return 0;
  } else if (!type_may_be_ok(p, n)) {
    return 0;
  }
  for (child = p->first; spelunk_is_decided(child) && child; child = child->next) {
    if (!maybe_subtree(child, &here))
      return 0;
  }
  return 1;
}

static int tree_may_be_ok(const struct node *root) {
  if (!spelunk_is_decided(root) || !root)
    return 1;
  if ((spelunk_is_decided(root->parent) && root->parent) || (spelunk_is_decided(root->next) && root->next))
    return 0;
  return maybe_subtree(root, NULL);
}

// For heaps whose shape is valid: types as one condition, without a decision about any of them.
static int subtree_numbers(const struct node *p) {
  const struct node *child = p->first, *last = NULL;
  unsigned n = 0;
  int result = 1;
  for (; spelunk_is_decided(child) && child; child = child->next) {
    result &= subtree_numbers(child);
    last = child;
    n++;
  }
  int knows_last = spelunk_is_decided(p->last);
  if (spelunk_is_decided(child) || (knows_last && p->last == last))
    return result & type_ok(p, n);
  if (knows_last)
    result &= subtree_numbers(p->last);
  return result & type_may_be_ok(p, n + (unsigned)knows_last);
}

static int tree_numbers(const struct node *root) { return !spelunk_is_decided(root) || !root || subtree_numbers(root); }

static struct node *new_node(int type, int name, struct node *parent) {
  struct node *p = malloc(sizeof *p);
  if (!p)
    abort();
  *p = (struct node){type, name, parent, NULL, NULL, NULL};
  return p;
}

static struct node *append_child(struct node *parent, int type, int name) {
  struct node *p = new_node(type, name, parent);
  if (parent->last)
    parent->last->next = p;
  else
    parent->first = p;
  parent->last = p;
  return p;
}

#ifdef SELFTEST
static void free_tree(struct node *p) {
  if (!p)
    return;
  for (struct node *child = p->first, *next; child; child = next) {
    next = child->next;
    free_tree(child);
  }
  free(p);
}
#endif

#endif
