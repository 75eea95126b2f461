// P6: the traversal of a parse tree, which looks functions up in a list of control-flow graphs. It believes that the body of each
// function is a block, which the parser does not guarantee: a fault, and no mistake of the input.
#include "parse_tree.h"

#ifndef LIMIT
#define LIMIT 4 // nodes of the largest tree and graphs of the longest list, where inputs are bounded by `small`
#endif

enum type { NAME, PARAMS, BLOCK, EXPRESSION, FUNCTION };

// A ring through a header.
struct graph {
  int function;
  struct graph *next, *prev;
};

struct traversal {
  struct node *root;
  struct graph *graphs;
  unsigned n_graphs;
};

// A function has a name, parameters and a body.
static int type_ok(const struct node *p, unsigned n) { return (p->type != FUNCTION) | (n == 3); }
static int type_may_be_ok(const struct node *p, unsigned n) { return (p->type != FUNCTION) | (n <= 3); }

static int graphs_ok(const struct traversal *s) {
  if (!s->graphs)
    return 0;
  const struct graph *p = s->graphs;
  unsigned n = 0;
  do {
    if (!p->next || p->next->prev != p)
      return 0;
    p = p->next;
    if (p != s->graphs)
      n++;
  } while (p != s->graphs);
  return n == s->n_graphs;
}

int ok(const struct traversal *s) { return s && s->root && graphs_ok(s) && tree_ok(s->root); }

static unsigned count_nodes(const struct node *p) {
  unsigned n = 1;
  for (const struct node *child = p->first; child; child = child->next)
    n += count_nodes(child);
  return n;
}

int small(const struct traversal *s) {
  return s && s->n_graphs < LIMIT && ok(s) && count_nodes(s->root) <= LIMIT;
}

int maybe_ok(const struct traversal *s) {
  if (!spelunk_is_decided(s))
    return 1;
  if (!s || (spelunk_is_decided(s->root) && !s->root) || !tree_may_be_ok(s->root))
    return 0;
  if (!spelunk_is_decided(s->graphs))
    return 1;
  if (!s->graphs)
    return 0;
  const struct graph *p = s->graphs, *slow = p;
  unsigned n = 0;
  for (unsigned step = 0;; step++) {
    if (!spelunk_is_decided(p->next))
      return 1;
    if (!p->next || (spelunk_is_decided(p->next->prev) && p->next->prev != p))
      return 0;
    p = p->next;
    if (p == s->graphs)
      return n == s->n_graphs;
    if (p == slow)
      return 0;
    if (step % 2)
      slow = slow->next;
    n++;
  }
}

int graph_numbers_ok(const struct traversal *s) {
  if (!spelunk_is_decided(s) || !spelunk_is_decided(s->graphs))
    return 1;
  const struct graph *front = s->graphs;
  unsigned n = 0;
  for (; spelunk_is_decided(front->next); front = front->next) {
    if (front->next == s->graphs)
      return s->n_graphs == n;
    n++;
  }
  for (const struct graph *back = s->graphs; spelunk_is_decided(back->prev); back = back->prev) {
    if (back->prev == front)
      return s->n_graphs == n;
    n++;
  }
  return s->n_graphs >= n;
}

int tree_numbers_ok(const struct traversal *s) { return !spelunk_is_decided(s) || tree_numbers(s->root); }

// The graph of a function, which is made if there is none yet.
static struct graph *graph_of(struct traversal *s, int function) {
  struct graph *p = s->graphs->next;
  while (p != s->graphs && p->function != function)
    p = p->next;
  if (p != s->graphs)
    return p;
  p = malloc(sizeof *p);
  if (!p)
    abort();
  *p = (struct graph){function, s->graphs, s->graphs->prev};
  s->graphs->prev->next = p;
  s->graphs->prev = p;
  s->n_graphs++;
  return p;
}

static int visit(struct traversal *s, struct node *p);

static int visit_function(struct traversal *s, struct node *p) {
  struct node *params = p->first->next;
  struct node *body = params->next;
  spelunk_assert(body->next == NULL && body->type == BLOCK);
  int known = graph_of(s, p->name)->function == p->name;
  return known + visit(s, params) + visit(s, body);
}

static int visit(struct traversal *s, struct node *p) {
  if (p->type == FUNCTION)
    return visit_function(s, p);
  int visited = 1;
  for (struct node *child = p->first, *next; child; child = next) {
    next = child->next;
    spelunk_assert(child->parent == p);
    visited += visit(s, child);
  }
  return visited;
}

int traverse(struct traversal *s, int unused) {
  (void)unused;
  return visit(s, s->root);
}

// Behind the last child of the root comes an expression.
int append(struct traversal *s, int name) {
  if (s->root->type == FUNCTION)
    return 0;
  struct node *p = append_child(s->root, EXPRESSION, name);
  spelunk_assert(s->root->last == p && s->root->first != NULL);
  return 1;
}

// Down the last children. The graph of the innermost function is forgotten.
int forget(struct traversal *s, int unused) {
  (void)unused;
  struct node *function = NULL;
  for (struct node *p = s->root; p; p = p->last) {
    if (p->type == FUNCTION)
      function = p;
  }
  if (!function)
    return 0;
  for (struct graph *p = s->graphs->prev; p != s->graphs; p = p->prev) {
    if (p->function == function->name) {
      p->next->prev = p->prev;
      p->prev->next = p->next;
      free(p);
      s->n_graphs--;
      return 1;
    }
  }
  return 0;
}

PAIR(struct traversal *s, append, traverse)
PAIR(struct traversal *s, traverse, forget)

#ifdef SELFTEST
static int numbers_ok(const struct traversal *s) { return graph_numbers_ok(s) && tree_numbers_ok(s); }

static void check_node(struct traversal *s, struct node *p) {
  struct node other = {BLOCK, 0, p, NULL, NULL, NULL};
  REFUSED(p->parent, p);
  REFUSED(p->next, p);
  REFUSED(p->next, s->root);
  REFUSED(p->first, p);
  REFUSED(p->first, s->root);
  REFUSED(p->last, p);
  REFUSED(p->last, &other);
  if (p->type == FUNCTION)
    WITH(p->first->next->next, NULL, EXPECT(!ok(s)); EXPECT(!maybe_ok(s)); EXPECT(!numbers_ok(s)));
  OPEN(p->parent);
  OPEN(p->first);
  OPEN(p->last);
  OPEN(p->next);
  WITH(p->first, UNDECIDED, OPEN(p->last));
  for (struct node *child = p->first; child; child = child->next)
    check_node(s, child);
}

static void check(struct traversal *s) {
  EXPECT(ok(s));
  EXPECT(maybe_ok(s));
  EXPECT(numbers_ok(s));
  REFUSED(s->n_graphs, s->n_graphs + 1);
  REFUSED(s->root, NULL);
  REFUSED(s->root->type, FUNCTION);
  OPEN(s->root);
  OPEN(s->graphs);
  struct graph *p = s->graphs;
  do {
    REFUSED(p->next, NULL);
    REFUSED(p->prev, NULL);
    OPEN(p->next);
    OPEN(p->prev);
    p = p->next;
  } while (p != s->graphs);
  check_node(s, s->root);
}

int main(void) {
  struct graph *header = malloc(sizeof *header);
  *header = (struct graph){0, header, header};
  for (int i = 0; i < 60; i++) {
    struct traversal traversal = {new_node(BLOCK, 0, NULL), header, 0}, *s = &traversal;
    struct node *all[64] = {s->root};
    unsigned n = 1;
    for (int name = 0; name < 12; name++) {
      struct node *p = append_child(all[next_random() % n], name % 4 ? EXPRESSION : FUNCTION, name);
      if (p->type == FUNCTION) {
        append_child(p, NAME, name);
        append_child(p, PARAMS, 0);
        p = append_child(p, BLOCK, 0);
      }
      all[n++] = p;
    }
    // A root with three children could be a function.
    while (s->root->first == NULL || s->root->first->next == NULL || s->root->first->next->next == NULL ||
           s->root->first->next->next == s->root->last)
      append(s, 0);
    check(s);
    EXPECT(traverse(s, 0) > 10);
    check(s);
    EXPECT(s->n_graphs == 3 && append_then_traverse(s, 1, 0) > 12);
    forget(s, 0);
    check(s);
    free_tree(s->root);
    while (header->next != header) {
      struct graph *p = header->next;
      header->next = p->next;
      p->next->prev = header;
      free(p);
    }
  }
  free(header);
  return 0;
}
#endif
