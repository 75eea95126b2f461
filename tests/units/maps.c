// Reads where something may have been written through another pointer: with `--heap maps`, one path for all overlaps that take it.
//
// trial: entry=first_member heap=maps expect=assert at=first paths=4
// trial: entry=first_member heap=maps overlap=same expect=null-deref at=store paths=3
// trial: entry=figure_1 heap=maps expect=clean paths=4
// trial: entry=figure_1 overlap=any expect=assert at=figure paths=6
// trial: entry=figure_1 heap=maps overlap=any expect=assert at=figure paths=5
// trial: entry=three heap=graph expect=null-deref at=three paths=8
// trial: entry=three heap=maps expect=null-deref at=three paths=5
// trial: entry=three heap=maps overlap=any expect=null-deref at=three paths=5
// trial: entry=four heap=graph expect=null-deref at=four paths=19
// trial: entry=four heap=maps expect=null-deref at=four paths=6
// trial: entry=five heap=maps expect=null-deref at=five paths=7
// trial: entry=two_in_record heap=graph expect=null-deref at=two paths=13
// trial: entry=two_in_record heap=maps expect=null-deref at=two paths=4
// trial: entry=both_inside heap=maps expect=assert at=both_inside paths=6
// trial: entry=both_inside heap=graph expect=assert at=both_inside
// trial: entry=sentinel heap=maps expect=clean paths=3
// trial: entry=first_values heap=graph expect=assert at=first_values
// trial: entry=first_values heap=maps expect=assert at=first_values
// trial: entry=compared_first heap=maps expect=clean paths=4
// trial: entry=half heap=maps expect=assert at=half
// trial: entry=followed heap=graph expect=assert at=followed
// trial: entry=followed heap=maps expect=assert at=followed
// trial: entry=copied heap=maps expect=assert at=copied
// trial: entry=freed heap=maps expect=use-after-free at=freed
// trial: entry=undefined heap=maps expect=uninitialised at=undefined
// trial: entry=in_a_loop heap=maps expect=clean
// trial: entry=elements heap=maps expect=assert at=elements
// trial: entry=elements heap=graph expect=assert at=elements
// trial: entry=sentinel heap=maps hex=maps.hex expect=usage says=leave_out_one_of_both
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct in {
  int a, b;
};

// The branch is whether both pointers are one.
void first_member(struct in *i, int *p) {
  i->a = 1; //~ store
  *p = 2;
  assert(i->a != 2); //~ first
}

// Figure 1 of the paper: the halves of two elements overlap only in an adversary's memory, where `q` is `p` and 8 bytes.
struct element {
  int value;
  struct element *next;
};

void figure_1(struct element *p, struct element *q, int value) {
  if (!p || !q)
    return;
  q->value = value;
  p->next = q;
  if (p == q)
    return;
  assert(q->value == value); //~ figure
}

int three(int *a, int *b, int *c) {
  *a = 1; //~ three
  *b = 2;
  *c = 3;
  if (*a + *b + *c == 6)
    return 1;
  return 0;
}

int four(int *a, int *b, int *c, int *d) {
  *a = 1; //~ four
  *b = 2;
  *c = 3;
  *d = 4;
  if (*a + *b + *c + *d == 10)
    return 1;
  return 0;
}

int five(int *a, int *b, int *c, int *d, int *e) {
  *a = 1; //~ five
  *b = 2;
  *c = 3;
  *d = 4;
  *e = 5;
  if (*a + *b + *c + *d + *e == 15)
    return 1;
  return 0;
}

int two_in_record(struct in *p, int *q, int *r) {
  p->a = 1; //~ two
  p->b = 2;
  *q = 3;
  *r = 4;
  return p->a + p->b + *q + *r;
}

// Two pointers that have nothing to do with each other lead to parts of one object.
void both_inside(struct in *p, int *q, int *r) {
  if (!p || !q || !r)
    return;
  p->a = 1;
  p->b = 2;
  *q = 3;
  *r = 4;
  if (p->a == 3)
    assert(p->b != 4); //~ both_inside
}

struct node {
  struct node *next;
  int key;
};

struct tree {
  struct node *root;
  struct node nil;
};

int sentinel(struct tree *t) {
  if (!t)
    return 0;
  if (t->root == &t->nil)
    return 1;
  return 2;
}

// What nothing was written to is what was there in the beginning, and the same through both pointers if they are one.
void first_values(struct in *p, struct in *q) {
  if (!p || !q)
    return;
  p->a = q->b + 1;
  if (p->b == 7 && q->b == 7 && q->a == 8)
    assert(p != q); //~ first_values
}

// Once it is known that pointers are one, it is known what is read.
int compared_first(int *p, int *q) {
  if (!p || !q)
    return 0;
  *p = 1;
  *q = 2;
  if (p == q)
    return *p == 2 ? 1 : -1;
  assert(*p == 1);
  return 2;
}

// Part of what was written.
void half(long *p, struct in *i, long *q) {
  if (!p || !i || !q)
    return;
  *p = 0x100000002;
  *q = 5;
  assert(((int *)p)[0] != 5 || ((int *)p)[1] != 0); //~ half
}

// A pointer that is followed is decided on.
void followed(struct node **at, struct node **slot, struct node *a, struct node *b) {
  if (!at || !slot || !a || !b)
    return;
  a->key = 1;
  b->key = 2;
  *at = a;
  *slot = b;
  assert((*at)->key == 1 || at == slot); //~ followed
}

void copied(struct in *p, struct in *q, struct in *r) {
  if (!p || !q || !r)
    return;
  p->a = 1;
  *q = *r;
  r->b = 3;
  assert(p->a == 1 || p->a != 9 || p->b != 3); //~ copied
}

int freed(int *p, int *q) {
  if (!p || !q)
    return 0;
  *p = 1;
  *q = 2;
  int sum = *p;
  free(p);
  return sum + *q; //~ freed
}

int undefined(int *p, int *q) {
  if (!p || !q)
    return 0;
  int nothing;
  *p = 1;
  memcpy(q, &nothing, sizeof nothing);
  if (*p == 3) //~ undefined
    return 1;
  return 2;
}

int in_a_loop(struct in *p, int *q, int n) {
  if (!p || !q || n < 0 || n > 5)
    return 0;
  p->a = 0;
  *q = 0;
  for (int i = 0; i < n; i++) {
    p->a += 1;
    *q += 1;
  }
  return p->a == 2 * n;
}

void elements(int *p, int *q, unsigned i) {
  if (!p || !q || i > 3)
    return;
  int local[4] = {1, 2, 3, 4};
  *p = 5;
  local[i] = *q;
  *q = 6;
  assert(local[3] != 5 || *p != 6); //~ elements
}
