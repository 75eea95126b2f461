// An intrusive list: tasks of a table embed the links by which those that are ready queue up, the most urgent first.
// The operations get from a link to its task by container_of, so that a valid input is made of interior pointers only.
//
// trial: entry=sched_wake assume=sched_owns ensure=sched_ok expect=clean branches=95
// trial: entry=sched_sleep assume=sched_owns ensure=sched_ok expect=clean branches=95
// trial: entry=sched_set_priority assume=sched_owns ensure=sched_ok expect=clean branches=95
// trial: entry=sched_next assume=sched_ok ensure=sched_ok expect=clean branches=95
// trial: entry=sched_yield_first assume=sched_ok ensure=sched_ok expect=clean branches=95
// trial: entry=sched_boost assume=sched_ok ensure=sched_ok expect=clean branches=95
//
// trial: entry=sched_wake assume=sched_owns ensure=sched_ok fault=WAKE_TWICE expect=ensure
// trial: entry=sched_sleep assume=sched_owns ensure=sched_ok fault=STALE_LINKS expect=ensure
// trial: entry=sched_set_priority assume=sched_owns ensure=sched_ok fault=NOT_MOVED expect=ensure
// trial: entry=sched_next assume=sched_ok ensure=sched_ok fault=EMPTY_CHECK expect=out-of-bounds at=first
#include <stddef.h>

#define container_of(member_ptr, type, member) ((type *)((char *)(member_ptr) - offsetof(type, member)))

#ifndef TASKS
#define TASKS 3
#endif

struct link {
  struct link *prev, *next;
};

struct task {
  int priority;
  struct link link; // to itself while the task sleeps
};

struct sched {
  struct link ready;
  struct task task[TASKS];
};

static int task_index(const struct sched *s, const struct link *l) {
  for (int i = 0; i < TASKS; i++) {
    if (l == &s->task[i].link)
      return i;
  }
  return -1;
}

// Back links end the walk on any input, as no link can have two predecessors.
int sched_ok(const struct sched *s) {
  if (!s)
    return 0;
  int queued[TASKS] = {0};
  const struct link *prev = &s->ready;
  int before = -1;
  for (const struct link *l = s->ready.next; l != &s->ready; l = l->next) {
    int i = task_index(s, l);
    if (i < 0 || l->prev != prev)
      return 0;
    if (before >= 0 && s->task[before].priority < s->task[i].priority)
      return 0;
    queued[i] = 1;
    before = i;
    prev = l;
  }
  if (s->ready.prev != prev)
    return 0;
  for (int i = 0; i < TASKS; i++) {
    const struct link *own = &s->task[i].link;
    if (!queued[i] && (own->next != own || own->prev != own))
      return 0;
  }
  return 1;
}

// For operations on a task of the table.
int sched_owns(const struct sched *s, const struct task *t) {
  if (!sched_ok(s))
    return 0;
  for (int i = 0; i < TASKS; i++) {
    if (t == &s->task[i])
      return 1;
  }
  return 0;
}

static int link_is_single(const struct link *l) { return l->next == l; }

static void link_insert_before(struct link *at, struct link *l) {
  l->prev = at->prev;
  l->next = at;
  at->prev->next = l;
  at->prev = l;
}

static void link_remove(struct link *l) {
  l->prev->next = l->next;
  l->next->prev = l->prev;
#ifndef FAULT_STALE_LINKS
  l->prev = l->next = l;
#endif
}

// Queues a task behind those of the same priority.
static void enqueue(struct sched *s, struct task *t) {
  struct link *at = s->ready.next;
  while (at != &s->ready && container_of(at, struct task, link)->priority >= t->priority)
    at = at->next;
  link_insert_before(at, &t->link);
}

void sched_wake(struct sched *s, struct task *t) {
#ifndef FAULT_WAKE_TWICE
  if (!link_is_single(&t->link))
    return;
#endif
  enqueue(s, t);
}

void sched_sleep(struct sched *s, struct task *t) {
  (void)s;
  link_remove(&t->link);
}

void sched_set_priority(struct sched *s, struct task *t, int priority) {
#ifdef FAULT_NOT_MOVED
  (void)s;
  t->priority = priority;
#else
  int queued = !link_is_single(&t->link);
  if (queued)
    link_remove(&t->link);
  t->priority = priority;
  if (queued)
    enqueue(s, t);
#endif
}

// Takes the most urgent task out of the queue. Returns its priority, or the given number if nothing is ready.
int sched_next(struct sched *s, int otherwise) {
#ifndef FAULT_EMPTY_CHECK
  if (link_is_single(&s->ready))
    return otherwise;
#endif
  struct task *t = container_of(s->ready.next, struct task, link);
  link_remove(&t->link);
  return t->priority; //~ first
}

// The first task lets the others of its priority go first.
void sched_yield_first(struct sched *s) {
  if (link_is_single(&s->ready))
    return;
  struct task *t = container_of(s->ready.next, struct task, link);
  link_remove(&t->link);
  enqueue(s, t);
}

// Raises all tasks that are ready to at least this priority, and returns how many were below.
int sched_boost(struct sched *s, int least) {
  int n = 0;
  for (struct link *l = s->ready.prev; l != &s->ready; l = l->prev) {
    struct task *t = container_of(l, struct task, link);
    if (t->priority >= least)
      break;
    t->priority = least;
    n++;
  }
  return n;
}
