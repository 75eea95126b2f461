// Pointers that overlap where their types nest: how many paths there are, by what `--overlap` allows.
//
// trial: entry=first_member expect=assert at=first paths=4
// trial: entry=first_member overlap=records expect=null-deref at=store paths=3
// trial: entry=first_member overlap=same expect=null-deref at=store paths=3
// trial: entry=figure_1 expect=clean paths=4
// trial: entry=three_numbers expect=null-deref at=three paths=8
// trial: entry=two_in_record overlap=same expect=null-deref at=two paths=5
// trial: entry=two_in_record expect=null-deref at=two paths=13
// trial: entry=nested expect=null-deref at=nested paths=13
// trial: entry=nested overlap=records expect=null-deref at=nested paths=5
// trial: entry=sentinel expect=clean paths=3
// trial: entry=sentinel overlap=same expect=clean paths=2
// trial: entry=enumeration expect=assert at=enumeration
// trial: entry=enumeration overlap=same expect=null-deref at=colour
// trial: entry=slot expect=assert at=slot
// trial: entry=other_types expect=null-deref at=others paths=4
// trial: entry=element expect=assert at=element
// trial: entry=row expect=assert at=row
// trial: entry=elements param=few=array:2 expect=assert at=elements
// trial: entry=elements param=few=array:3 expect=null-deref at=few
// trial: entry=in_union expect=assert at=union
// trial: entry=bytes param=b=bytes:4 expect=null-deref at=byte paths=3
// trial: entry=bytes param=b=bytes:4 overlap=typed,char expect=assert at=bytes
// trial: entry=fixed param=limits.most=7 expect=null-deref at=most
// trial: entry=compared expect=assert at=compared
#include <assert.h>
#include <stddef.h>

struct in {
  int a, b;
};

void first_member(struct in *i, int *p) {
  i->a = 1; //~ store
  *p = 2;
  assert(i->a != 2); //~ first
}

// Figure 1 of the paper: the two halves of an element never overlap by their types.
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
  assert(q->value == value);
}

int three_numbers(int *a, int *b, int *c) {
  *a = 1; //~ three
  *b = 2;
  *c = 3;
  return *a + *b + *c == 6 ? 1 : 0;
}

int two_in_record(struct in *p, int *q, int *r) {
  p->a = 1; //~ two
  p->b = 2;
  *q = 3;
  *r = 4;
  return p->a + p->b + *q + *r;
}

struct out {
  int x;
  struct in in;
};

int nested(struct out *o, struct in *i, int *p) {
  o->x = 1; //~ nested
  o->in.a = 2;
  o->in.b = 3;
  i->a = 4;
  i->b = 5;
  *p = 6;
  return o->x + o->in.a + o->in.b + i->a + i->b + *p;
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

enum colour { RED, GREEN = 5 };

struct paint {
  enum colour colour;
  long layers;
};

// What is written through the pointer is what the enumeration then is; what it is at first is one of its constants.
void enumeration(struct paint *p, unsigned *u) {
  if (p->colour != RED && p->colour != GREEN) //~ colour
    assert(0);
  *u = 3;
  assert(p->colour != 3); //~ enumeration
}

void slot(struct node *n, struct node **at) {
  n->next = NULL;
  *at = n;
  assert(n->next != n); //~ slot
}

// Different types of one size never meet.
int other_types(struct paint *p, long long *a, float *f) {
  p->layers = 1; //~ others
  *a = 2;
  *f = 3;
  return p->layers == 2;
}

struct table {
  int rows[3][4];
};

void element(struct table *t, int *p, unsigned i, unsigned j) {
  if (i >= 3 || j >= 4)
    return;
  t->rows[i][j] = 1;
  *p = 2;
  assert(t->rows[i][j] != 2); //~ element
}

void row(struct table *t, int (*row)[4]) {
  t->rows[2][3] = 1;
  (*row)[3] = 2;
  assert(t->rows[2][3] != 2); //~ row
}

// As many in a row as are asked for, in an array and across the end of none.
struct three {
  int before;
  int numbers[2];
};

void elements(struct three *t, int *few) {
  if (!t)
    return;
  t->numbers[1] = 1;
  few[1] = 2; //~ few
  assert(t->numbers[1] != 2); //~ elements
}

union number {
  int i;
  float f;
};

struct tagged {
  int kind;
  union number number;
};

void in_union(struct tagged *t, union number *n) {
  t->number.i = 1;
  n->i = 2;
  assert(t->number.i != 2); //~ union
}

void bytes(struct in *i, void *b) {
  i->b = 0; //~ byte
  ((unsigned char *)b)[1] = 1;
  assert(i->b != 0x100); //~ bytes
}

typedef struct {
  int least, most;
} limits;

// What is said of a member holds for whatever leads there.
void fixed(limits *l, int *p) {
  if (*p == 8) //~ most
    assert(&l->most != p);
}

void compared(struct in *i, int *p) {
  if (i)
    assert(p != &i->b); //~ compared
}
