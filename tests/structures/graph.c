// A directed graph: vertices in a list, each with pointers to those that follow it. Cycles and loops are welcome.
//
// trial: entry=graph_add_vertex assume=graph_small ensure=graph_ok expect=clean branches=95 unreachable=2
// trial: entry=graph_add_edge assume=graph_small ensure=graph_ok expect=clean branches=95
// trial: entry=graph_remove_edge assume=graph_small ensure=graph_ok expect=clean branches=95
// trial: entry=graph_remove_vertex assume=graph_small ensure=graph_ok check=leak expect=clean branches=95
// trial: entry=graph_reaches assume=graph_small ensure=graph_ok expect=clean branches=95 unreachable=1
// trial: entry=graph_has_cycle assume=graph_small ensure=graph_ok expect=clean branches=95 unreachable=1
// trial: entry=graph_add_edge assume=graph_ok ensure=graph_ok depth=40 expect=clean
//
// trial: entry=graph_add_edge assume=graph_small ensure=graph_ok fault=OFF_BY_ONE expect=out-of-bounds at=new-edge
// trial: entry=graph_add_edge assume=graph_small ensure=graph_ok fault=NULL_CHECK expect=null-deref at=degree
// trial: entry=graph_remove_vertex assume=graph_small ensure=graph_ok fault=DANGLING expect=ensure
// trial: entry=graph_reaches assume=graph_small ensure=graph_ok fault=MARKS expect=ensure
#include <stdlib.h>

#define DEGREE 2

#ifndef LIMIT
#define LIMIT 3 // vertices of the largest graph that a trial starts from
#endif

enum mark { UNSEEN, OPEN, DONE };

struct vertex {
  int id;
  enum mark mark; // UNSEEN whenever no operation is under way
  struct vertex *next;
  unsigned degree;
  struct vertex *to[DEGREE];
};

struct graph {
  struct vertex *first;
  unsigned n;
};

static struct vertex *find(const struct graph *g, int id) {
  struct vertex *v = g->first;
  while (v && v->id != id)
    v = v->next;
  return v;
}

static int contains(const struct graph *g, const struct vertex *wanted) {
  const struct vertex *v = g->first;
  while (v && v != wanted)
    v = v->next;
  return v != NULL;
}

static unsigned edge_index(const struct vertex *from, const struct vertex *to) {
  unsigned i = 0;
  while (i < from->degree && from->to[i] != to) //~ degree
    i++;
  return i;
}

static int edges_ok(const struct graph *g, const struct vertex *v) {
  if (v->degree > DEGREE)
    return 0;
  for (unsigned i = 0; i < v->degree; i++) {
    if (!v->to[i] || !contains(g, v->to[i]) || edge_index(v, v->to[i]) != i)
      return 0;
  }
  return 1;
}

// A vertex that the walk along the list meets again has the id of one before it.
int graph_ok(const struct graph *g) {
  if (!g)
    return 0;
  unsigned n = 0;
  for (const struct vertex *v = g->first; v; v = v->next) {
    if (n == g->n || v->mark != UNSEEN)
      return 0;
    const struct vertex *before = g->first;
    for (unsigned i = 0; i < n; i++, before = before->next) {
      if (before->id == v->id)
        return 0;
    }
    n++;
  }
  for (const struct vertex *v = g->first; v; v = v->next) {
    if (!edges_ok(g, v))
      return 0;
  }
  return n == g->n;
}

int graph_small(const struct graph *g) { return (!g || g->n <= LIMIT) && graph_ok(g); }

// Returns whether the id is new.
int graph_add_vertex(struct graph *g, int id) {
  if (find(g, id))
    return 0;
  struct vertex *v = calloc(1, sizeof *v);
  if (!v)
    abort();
  v->id = id;
  v->next = g->first;
  g->first = v;
  g->n++;
  return 1;
}

// Returns whether both vertices exist and the edge is there now.
int graph_add_edge(struct graph *g, int from_id, int to_id) {
  struct vertex *from = find(g, from_id);
  struct vertex *to = find(g, to_id);
#ifdef FAULT_NULL_CHECK
  if (!to)
#else
  if (!from || !to)
#endif
    return 0;
  if (edge_index(from, to) < from->degree)
    return 1;
#ifdef FAULT_OFF_BY_ONE
  if (from->degree > DEGREE)
#else
  if (from->degree >= DEGREE)
#endif
    return 0;
  from->to[from->degree++] = to; //~ new-edge
  return 1;
}

static int drop_edge(struct vertex *from, const struct vertex *to) {
  unsigned i = edge_index(from, to);
  if (i == from->degree)
    return 0;
  from->to[i] = from->to[--from->degree];
  return 1;
}

int graph_remove_edge(struct graph *g, int from_id, int to_id) {
  struct vertex *from = find(g, from_id);
  struct vertex *to = find(g, to_id);
  return from && to && drop_edge(from, to);
}

// Removes a vertex with all edges from and to it.
int graph_remove_vertex(struct graph *g, int id) {
  struct vertex **link = &g->first;
  while (*link && (*link)->id != id)
    link = &(*link)->next;
  struct vertex *gone = *link;
  if (!gone)
    return 0;
  *link = gone->next;
  g->n--;
#ifdef FAULT_DANGLING
  for (struct vertex *v = g->first; v != gone->next; v = v->next)
#else
  for (struct vertex *v = g->first; v; v = v->next)
#endif
    drop_edge(v, gone);
  free(gone);
  return 1;
}

static void clear_marks(struct graph *g) {
  for (struct vertex *v = g->first; v; v = v->next)
    v->mark = UNSEEN;
}

static int reaches(struct vertex *from, const struct vertex *to) {
  if (from == to)
    return 1;
  from->mark = DONE;
  for (unsigned i = 0; i < from->degree; i++) {
    if (from->to[i]->mark == UNSEEN && reaches(from->to[i], to))
      return 1;
  }
  return 0;
}

// Whether edges lead from one vertex to the other; each vertex reaches itself.
int graph_reaches(struct graph *g, int from_id, int to_id) {
  struct vertex *from = find(g, from_id);
  struct vertex *to = find(g, to_id);
  if (!from || !to)
    return 0;
#ifdef FAULT_MARKS
  if (reaches(from, to))
    return 1;
  clear_marks(g);
  return 0;
#else
  int found = reaches(from, to);
  clear_marks(g);
  return found;
#endif
}

static int closes_cycle(struct vertex *v) {
  v->mark = OPEN;
  for (unsigned i = 0; i < v->degree; i++) {
    struct vertex *to = v->to[i];
    if (to->mark == OPEN || (to->mark == UNSEEN && closes_cycle(to)))
      return 1;
  }
  v->mark = DONE;
  return 0;
}

int graph_has_cycle(struct graph *g) {
  int found = 0;
  for (struct vertex *v = g->first; v && !found; v = v->next)
    found = v->mark == UNSEEN && closes_cycle(v);
  clear_marks(g);
  return found;
}
