// P7: new names for the labels of a parse tree that no label of a second tree, the externs, has. A jump to a label that does not
// stand around it is a fault of the renaming, which looks for one. The trees must not share nodes: what is renamed in one would
// change in the other.
#include "parse_tree.h"

#ifndef LIMIT
#define LIMIT 4 // nodes of the largest tree and its externs together, where inputs are bounded by `small`
#endif

enum type { BLOCK, LABEL, LABEL_NAME, JUMP };

// A label starts with its name.
static int type_ok(const struct node *p, unsigned n) {
  int is_named = n > 0 && p->first->type == LABEL_NAME;
  return (p->type != LABEL) | is_named;
}

static int type_may_be_ok(const struct node *p, unsigned n) {
  return !spelunk_is_decided(p->first) || n == 0 || !p->first || type_ok(p, n);
}

int ok(const struct node *tree, const struct node *externs) { return tree && tree_ok(tree) && tree_ok(externs); }

static int holds(const struct node *tree, const struct node *node) {
  if (tree == node)
    return 1;
  for (const struct node *child = tree->first; child; child = child->next) {
    if (holds(child, node))
      return 1;
  }
  return 0;
}

static int is_apart(const struct node *tree, const struct node *other) {
  if (holds(tree, other))
    return 0;
  for (const struct node *child = other->first; child; child = child->next) {
    if (!is_apart(tree, child))
      return 0;
  }
  return 1;
}

// What is meant: also that the trees share nothing, which neither of them can say of itself.
int valid(const struct node *tree, const struct node *externs) {
  return ok(tree, externs) && (!externs || is_apart(tree, externs));
}

static unsigned count_nodes(const struct node *p) {
  unsigned n = 1;
  for (const struct node *child = p->first; child; child = child->next)
    n += count_nodes(child);
  return n;
}

int small(const struct node *tree, const struct node *externs) {
  return ok(tree, externs) && count_nodes(tree) + (externs ? count_nodes(externs) : 0) <= LIMIT;
}

int maybe_ok(const struct node *tree, const struct node *externs) {
  return (!spelunk_is_decided(tree) || tree) && tree_may_be_ok(tree) && tree_may_be_ok(externs);
}

int numbers_ok(const struct node *tree, const struct node *externs) {
  return tree_numbers(tree) & tree_numbers(externs);
}

// The labels around a node, the innermost first.
struct scope {
  int old, new;
  const struct scope *outer;
};

// The sum of all names, to see whether they change.
static unsigned sum_of_names(const struct node *p) {
  unsigned sum = p->type == LABEL_NAME ? (unsigned)p->name : 0;
  for (const struct node *child = p->first; child; child = child->next)
    sum = 31 * sum + sum_of_names(child);
  return sum;
}

static int uses_name(const struct node *p, int name) {
  if (p->type == LABEL_NAME && p->name == name)
    return 1;
  for (const struct node *child = p->first; child; child = child->next) {
    if (uses_name(child, name))
      return 1;
  }
  return 0;
}

static int rename_below(struct node *p, const struct node *externs, const struct scope *scope) {
  struct scope here = {0, scope ? scope->new + 1 : 1, scope};
  int renamed = 0;
  if (p->type == LABEL) {
    here.old = p->first->name;
    while (externs && uses_name(externs, here.new))
      here.new++;
    p->first->name = here.new;
    scope = &here;
    renamed = 1;
  } else if (p->type == JUMP && p->first) {
    const struct scope *target = scope;
    while (target->old != p->first->name)
      target = target->outer;
    p->first->name = target->new;
    renamed = 1;
  }
  for (struct node *child = p->first; child; child = child->next)
    renamed += rename_below(child, externs, scope);
  return renamed;
}

int rename_labels(struct node *tree, struct node *externs) {
  unsigned before = externs ? sum_of_names(externs) : 0;
  int renamed = rename_below(tree, externs, NULL);
  if (externs)
    spelunk_assert(sum_of_names(externs) == before);
  return renamed;
}

// The last statement of the externs moves into the tree.
int adopt(struct node *tree, struct node *externs) {
  if (!externs || !externs->first || tree->type == LABEL || externs->type == LABEL)
    return 0;
  struct node *p = externs->first;
  externs->first = p->next;
  if (!p->next)
    externs->last = NULL;
  p->next = NULL;
  p->parent = tree;
  if (tree->last)
    tree->last->next = p;
  else
    tree->first = p;
  tree->last = p;
  spelunk_assert(externs->first != p && tree->last == p);
  return 1;
}

#ifdef SELFTEST
static struct node *random_tree(int n) {
  struct node *all[32] = {new_node(BLOCK, 0, NULL)};
  int n_nodes = 1;
  for (int i = 0; i < n; i++) {
    struct node *p = append_child(all[next_random() % n_nodes], i % 2 ? LABEL : BLOCK, i);
    if (p->type == LABEL)
      append_child(p, LABEL_NAME, (int)(next_random() % 4));
    all[n_nodes++] = p;
  }
  return all[0];
}

static void check_node(struct node *tree, struct node *externs, struct node *p) {
#define TREES_REFUSED(variable, value) WITH(variable, value, EXPECT(!ok(tree, externs)))
#define TREES_OPEN(variable)                                                                                           \
  WITH(variable, UNDECIDED, EXPECT(maybe_ok(tree, externs)); EXPECT(numbers_ok(tree, externs)))
  TREES_REFUSED(p->parent, p);
  TREES_REFUSED(p->next, p);
  TREES_REFUSED(p->first, p);
  TREES_REFUSED(p->first, tree);
  TREES_REFUSED(p->last, p);
  if (p->type == LABEL)
    WITH(p->first->type, BLOCK, EXPECT(!ok(tree, externs)); EXPECT(!maybe_ok(tree, externs));
         EXPECT(!numbers_ok(tree, externs)));
  TREES_OPEN(p->parent);
  TREES_OPEN(p->first);
  TREES_OPEN(p->last);
  TREES_OPEN(p->next);
  WITH(p->first, UNDECIDED, TREES_OPEN(p->last));
  for (struct node *child = p->first; child; child = child->next)
    check_node(tree, externs, child);
}

static void check(struct node *tree, struct node *externs) {
  EXPECT(ok(tree, externs) && valid(tree, externs));
  EXPECT(maybe_ok(tree, externs));
  EXPECT(numbers_ok(tree, externs));
  EXPECT(!ok(NULL, externs) && ok(tree, NULL));
  EXPECT(ok(tree, tree) && !valid(tree, tree));
  check_node(tree, externs, tree);
  check_node(tree, externs, externs);
}

int main(void) {
  for (int i = 0; i < 200; i++) {
    struct node *tree = random_tree(10), *externs = random_tree(6);
    check(tree, externs);
    EXPECT(rename_labels(tree, externs) == 5);
    check(tree, externs);
    adopt(tree, externs);
    check(tree, externs);
    // A jump out of a label that stands around it.
    struct node *label = append_child(tree, LABEL, 0);
    append_child(label, LABEL_NAME, 7);
    append_child(append_child(label, JUMP, 0), LABEL_NAME, 7);
    EXPECT(rename_labels(tree, externs) >= 7 && label->first->name == label->last->first->name);
    free_tree(tree);
    free_tree(externs);
  }
  return 0;
}
#endif
