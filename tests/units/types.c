// Inputs of every type that C has.
//
// trial: entry=named_values expect=clean paths=3
// trial: entry=tagged expect=abort at=tagged
// trial: entry=narrow expect=abort at=narrow
// trial: entry=narrow_by_value expect=abort at=value
// trial: entry=three_levels expect=abort at=levels
// trial: entry=any_bytes expect=abort at=bytes
// trial: entry=by_value expect=abort at=members
// trial: entry=table expect=abort at=table
// trial: entry=options param=argv=array:argc<=3 expect=abort at=options
// trial: entry=extended expect=abort at=extended
// trial: entry=flexible expect=abort at=flexible
// trial: entry=flexible fault=BEHIND expect=out-of-bounds at=behind
// trial: entry=nameless expect=abort at=nameless
// trial: entry=itself expect=abort at=itself
// trial: entry=many expect=abort at=many
// trial: entry=large_result expect=abort at=large
// trial: entry=flexible_lists expect=abort at=lists
// trial: entry=point expect=abort at=point
// trial: entry=lanes expect=abort at=lanes
// trial: entry=complex expect=abort at=complex
// trial: entry=grown param=a=array:n expect=out-of-bounds at=grown
// trial: entry=copied param=from=array:n expect=out-of-bounds at=copied
#include <stdlib.h>
#include <string.h>

enum value { ONE = 1, FIVE = 5, LESS = -3 };

int named_values(enum value x) {
  switch (x) {
  case ONE:
    return 1;
  case FIVE:
    return 2;
  case LESS:
    return 3;
  }
  abort();
}

struct tagged {
  int kind;
  union {
    long number;
    double real;
    char *text;
  } as;
};

int tagged(struct tagged *x) {
  if (x && x->kind == 3 && x->as.text && x->as.text[0] == 'q' && x->as.text[1] == 0)
    abort(); //~ tagged
  return 0;
}

struct narrow {
  unsigned a : 3;
  signed b : 5;
  _Bool c : 1;
  unsigned long d : 40;
  unsigned : 0;
  enum value e : 4;
};

int narrow(struct narrow *x) {
  if (x && x->a == 5 && x->b == -9 && x->c && x->d == 0x1234567890 && x->e == FIVE)
    abort(); //~ narrow
  return 0;
}

int narrow_by_value(struct narrow x) {
  if (x.a == 5 && x.b == -9)
    abort(); //~ value
  return 0;
}

int three_levels(char ***p) {
  if (p && *p && **p && (**p)[1] == 'z')
    abort(); //~ levels
  return 0;
}

int any_bytes(void *p, int kind) {
  if (p && kind == 1 && *(int *)p == 77)
    abort(); //~ bytes
  return 0;
}

struct node {
  int v;
  struct node *next;
};

struct members {
  int a;
  struct node *list;
  char name[6];
};

int by_value(struct members s, int z) {
  if (s.a == 3 && s.list && s.list->v == z && s.name[0] == 'k')
    abort(); //~ members
  return 0;
}

struct table {
  struct node *slots[4];
};

int table(struct table *t) {
  if (t && t->slots[1] && t->slots[3] == t->slots[1])
    abort(); //~ table
  return 0;
}

int options(int argc, const char **argv) {
  if (argc > 1 && argv[1] && argv[1][0] == '-')
    abort(); //~ options
  return 0;
}

int extended(long double x, __int128 y, _Bool z) {
  if (x > 1.5L && x < 1.75L && y == (__int128)1 << 100 && z)
    abort(); //~ extended
  return 0;
}

struct flexible {
  int n;
  int data[];
};

int flexible(struct flexible *f) {
  if (f && f->n == 2 && f->data[1] == 9)
    abort(); //~ flexible
#ifdef FAULT_BEHIND
  if (f)
    return f->data[8]; //~ behind
#endif
  return 0;
}

struct nameless {
  struct {
    int x;
    union {
      int y;
      float z;
    };
  };
  struct node *list;
};

int nameless(struct nameless *a) {
  if (a && a->x == 3 && a->y == 4 && a->list)
    abort(); //~ nameless
  return 0;
}

typedef struct itself *link;

struct itself {
  link next;
  link *all;
  int key;
};

int itself(link r) {
  if (r && r->all && *r->all == r && r->key == 9)
    abort(); //~ itself
  return 0;
}

int many(int a, int b, int c, int d, int e, int f, int g, long h, char i, short j) {
  if (g == 1 && h == 2 && i == 3 && j == 4)
    abort(); //~ many
  return a + b + c + d + e + f > 0;
}

struct large {
  long x[5];
  struct node *list;
};

struct large large_result(struct large b) {
  if (b.x[4] == 5 && b.list)
    abort(); //~ large
  return b;
}

// Pointers in an array without a length.
struct lists {
  int n;
  struct node *all[];
};

int flexible_lists(struct lists *l) {
  if (l && l->all[2] && l->all[2]->v == 5)
    abort(); //~ lists
  return 0;
}

struct point {
  float x, y, z;
};

int point(struct point p) {
  if (p.x == 1 && p.y == 2 && p.z == 3)
    abort(); //~ point
  return 0;
}

typedef int four __attribute__((vector_size(16)));

int lanes(four v) {
  if (v[0] == 1 && v[3] == 4)
    abort(); //~ lanes
  return 0;
}

int complex(_Complex double z) {
  if (__real__ z == 1 && __imag__ z == 2)
    abort(); //~ complex
  return 0;
}

// An array of the input grows to a size that is an input; the size stays open.
int grown(int *a, int n, unsigned m) {
  if (n != 2 || m > 1000)
    return 0;
  int *b = realloc(a, m * sizeof *b);
  if (!b)
    return -1;
  int last = m ? b[0] : 0;
  if (m > 500)
    b[600] = last; //~ grown
  free(b);
  return last;
}

// One error for all lengths that are too large.
int copied(const char *from, int n, size_t len) {
  char to[16] = {0};
  if (n != 4)
    return 0;
  memcpy(to, from, len); //~ copied
  return to[1];
}
