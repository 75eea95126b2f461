// Functions that are called one after another on one structure. Each fault needs several calls.
//
// trial: sequence=stack_init,push,pop,top length=4 expect=clean
// trial: sequence=stack_init,push,pop,top length=5 ensure=stack_ok fault=LOST expect=ensure
// trial: sequence=stack_init,push,pop,top length=6 fault=FULL expect=out-of-bounds at=full
// trial: sequence=set_add,set_remove,set_has length=4 expect=clean
// trial: sequence=set_add,set_remove,set_has,set_free length=4 check=leak expect=leak
// trial: sequence=set_add,set_remove,set_has length=5 fault=FREED expect=use-after-free
// trial: sequence=queue_new,queue_put,queue_take,queue_free length=5 expect=clean
// trial: sequence=queue_new,queue_put,queue_take,queue_free length=5 fault=LAST expect=use-after-free
// trial: sequence=meter_start,meter_tick,meter_read length=3 expect=assert at=meter
// trial: sequence=gauge_zero:gauge_add,gauge_read length=3 expect=clean
// trial: sequence=dial_init,dial_turn,dial_read length=3 expect=clean paths=9
#include <assert.h>
#include <stdlib.h>

struct stack {
  int items[3], n;
};

void stack_init(struct stack *s) { s->n = 0; }

int push(struct stack *s, int item) {
#ifdef FAULT_FULL
  if (s->n > 3)
#else
  if (s->n >= 3)
#endif
    return 0;
  s->items[s->n++] = item; //~ full
  return 1;
}

int pop(struct stack *s) {
  if (s->n == 0)
    return -1;
#ifdef FAULT_LOST
  if (s->items[s->n - 1] == 12345 && s->n == 2)
    return s->n = -1;
#endif
  return s->items[--s->n];
}

int top(const struct stack *s) { return s->n ? s->items[s->n - 1] : -1; }

int stack_ok(struct stack *s) { return s->n >= 0 && s->n <= 3; }

// A sorted list without duplicates, by a pointer to its first element.
struct element {
  int key;
  struct element *next;
};

struct element *set_add(struct element *set, int key) {
  struct element **at = &set;
  while (*at && (*at)->key < key)
    at = &(*at)->next;
  if (*at && (*at)->key == key)
    return set;
  struct element *added = malloc(sizeof *added);
  if (!added)
    abort();
  added->key = key;
  added->next = *at;
  *at = added;
  return set;
}

struct element *set_remove(struct element *set, int key) {
  struct element **at = &set;
  while (*at && (*at)->key < key)
    at = &(*at)->next;
  struct element *removed = *at;
  if (!removed || removed->key != key)
    return set;
#ifdef FAULT_FREED
  if (removed->next) // the last one stays linked
#endif
    *at = removed->next;
  free(removed);
  return set;
}

int set_has(const struct element *set, int key) {
  while (set && set->key < key)
    set = set->next;
  return set && set->key == key;
}

void set_free(struct element *set) {
  if (set)
    free(set); // only the first
}

struct entry {
  int value;
  struct entry *next;
};

struct queue {
  struct entry *first, **end;
};

struct queue *queue_new(void) {
  struct queue *q = malloc(sizeof *q);
  if (!q)
    abort();
  q->first = NULL;
  q->end = &q->first;
  return q;
}

void queue_put(struct queue *q, int value) {
  struct entry *e = malloc(sizeof *e);
  if (!e)
    abort();
  e->value = value;
  e->next = NULL;
  *q->end = e;
  q->end = &e->next;
}

int queue_take(struct queue *q) {
  struct entry *e = q->first;
  if (!e)
    return 0;
  int value = e->value;
  q->first = e->next;
#ifndef FAULT_LAST
  if (!q->first)
    q->end = &q->first;
#endif
  free(e);
  return value;
}

void queue_free(struct queue *q) {
  while (q->first)
    queue_take(q);
  free(q);
}

// A call that takes long before it decides something: two paths, and one of the other call.
struct dial {
  int at;
};

void dial_init(struct dial *d) { d->at = 0; }

int dial_turn(struct dial *d, unsigned char by) {
  for (int i = 0; i < 500; i++)
    d->at ^= i;
  if (by == 7)
    d->at = 1;
  return d->at;
}

int dial_read(const struct dial *d) { return d->at; }

// What makes the structure is called first, whatever its name is.
struct meter {
  int n;
};

int meter_tick(struct meter *m) { return m->n++; }
int meter_read(struct meter *m) {
  assert(m->n != 1); //~ meter
  return m->n;
}
struct meter *meter_start(void) {
  struct meter *m = malloc(sizeof *m);
  if (!m)
    abort();
  m->n = 0;
  return m;
}

// A colon says what comes first.
struct gauge {
  int at, sign;
};

void gauge_zero(struct gauge *g) {
  g->at = 0;
  g->sign = 1;
}
void gauge_add(struct gauge *g, unsigned char by) { g->at += by * g->sign; }
int gauge_read(const struct gauge *g) {
  assert(g->sign == 1);
  return g->at;
}
