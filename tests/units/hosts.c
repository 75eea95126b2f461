// Pointers that lead to more than their types say: what is guessed from casts and `container_of`, and what a user says.
//
// trial: entry=of_link expect=assert at=link
// trial: entry=ring expect=assert at=ring max-paths=60
// trial: entry=nested expect=assert at=nested
// trial: entry=untyped expect=assert at=untyped
// trial: entry=in_member expect=assert at=member
// trial: entry=shape expect=assert at=square
// trial: entry=longer expect=assert at=longer
// trial: entry=elsewhere expect=assert at=link
// trial: entry=said param=p=job.link expect=assert at=said
// trial: entry=overlapping expect=assert at=overlapping
#include <assert.h>
#include <stddef.h>

#define container_of(p, type, member)                                                                                  \
  ({                                                                                                                   \
    const __typeof__(((type *)0)->member) *inner = (p);                                                                \
    (type *)((char *)inner - offsetof(type, member));                                                                  \
  })

struct link {
  struct link *next, *prev;
};

struct job {
  long id;
  struct link link;
  int cost;
};

typedef struct {
  char name[12];
  struct job job;
} named_job;

void of_link(struct link *l) {
  if (!l)
    return;
  struct job *job = container_of(l, struct job, link);
  assert(job->cost != 7 || job->id != 3); //~ link
}

void elsewhere(struct link *first) {
  of_link(first);
}

void ring(struct link *head) {
  int total = 0;
  if (!head)
    return;
  for (struct link *l = head->next; l != head; l = l->next)
    total += container_of(l, struct job, link)->cost == 5;
  assert(total != 2); //~ ring
}

void nested(struct link *l) {
  if (!l)
    return;
  named_job *job = (named_job *)((char *)l - offsetof(named_job, job.link));
  assert(job->name[3] != 'x'); //~ nested
}

struct record {
  int key;
  char text[40];
};

int untyped(const void *a, const void *b) {
  if (!a || !b)
    return 0;
  const struct record *left = a, *right = b;
  assert(left->key <= right->key || left->text[39] != 'z'); //~ untyped
  return 0;
}

struct item {
  void *data;
  struct item *next;
};

int in_member(struct item *list) {
  for (struct item *item = list; item; item = item->next) {
    struct record *record = item->data;
    if (record)
      assert(record->text[30] != 'q'); //~ member
  }
  return 0;
}

struct shape {
  int kind;
};
struct circle {
  struct shape shape;
  int radius;
};
struct square {
  struct shape shape;
  int width, height;
};

void shape(struct shape *s) {
  if (!s)
    return;
  if (s->kind == 1)
    assert(((struct circle *)s)->radius != 9);
  if (s->kind == 2) {
    struct square *square = (struct square *)s;
    assert(square->height != 4); //~ square
  }
}

// The same beginning, and nothing that C calls a part.
struct header {
  short family;
};
struct address {
  short family;
  char bytes[30];
};

void longer(struct header *h) {
  if (h)
    assert(((struct address *)h)->bytes[29] != 1); //~ longer
}

int outside(struct link *l);

int said(struct link *p) {
  if (!p)
    return 0;
  long *id = (long *)((char *)p - 8);
  assert(*id != 77); //~ said
  return outside(p);
}

// The number may be that of the job.
void overlapping(struct link *l, int *number) {
  if (!l || !number)
    return;
  struct job *job = container_of(l, struct job, link);
  job->cost = 1;
  *number = 2;
  assert(job->cost == 1); //~ overlapping
}
