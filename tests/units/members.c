// Members of structures that belong together: a pointer and how much is behind it, callbacks, members of unions.
//
// trial: entry=total param=b->data=array:len expect=abort at=total
// trial: entry=total param=b->data=array:len fault=END expect=out-of-bounds at=element
// trial: entry=total param=b->data=array:len<=3 expect=clean paths=5
// trial: entry=total param=c->data=null expect=usage
// trial: entry=total param=b->date=array:len expect=usage
// trial: entry=total param=b->data=array:size expect=usage
// trial: entry=total param=b->len.x=3 expect=usage
// trial: entry=total param=b->data=array:len,b->len=2 expect=clean paths=2
// trial: entry=both param=a->data=array:len expect=abort at=both
// trial: entry=apart param=a->data=array:len expect=clean
// trial: entry=nested param=m->body.data=array:body.len expect=clean
// trial: entry=nested param=m->body.data=array:body.len fault=BEHIND expect=out-of-bounds at=nested
// trial: entry=by_value param=b.data=array:len expect=abort at=value
// trial: entry=in_global global=pending.data=array:len expect=abort at=global
// trial: entry=titled param=t->text=string:len expect=abort at=titled
// trial: entry=measured param=s=string:n expect=abort at=measured
// trial: entry=counted_behind param=a=array:b.len expect=clean
// trial: entry=arguments param=argv=array:argc<=3,argv[]=nonnull expect=abort at=argument
// trial: entry=slots param=t->names[]=nonnull,t->names[]=string:2 expect=abort at=slot
// trial: entry=smaller param=h->less=by_key expect=clean
// trial: entry=smaller param=h->less=any expect=assert at=smaller
// trial: entry=smaller expect=assert at=smaller
// trial: entry=smaller param=h->less=null expect=bad-call
// trial: entry=number param=v->as=number expect=abort at=number
// trial: entry=list_of param=v->as.items=nonnull expect=abort at=items
// trial: entry=rows param=m=array:3 expect=abort at=rows
// trial: entry=payload param=e->data=pay expect=abort at=payload
// trial: entry=payload param=e->data=pya expect=usage
// trial: entry=payload param=e->kind=pay expect=usage
// trial: entry=some_rows param=m=array:n<=3,n=2 expect=abort at=some
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  size_t len;
  unsigned char *data;
};

int total(const struct buffer *b) {
  if (!b)
    return 0;
  int sum = 0;
#ifdef FAULT_END
  for (size_t i = 0; i <= b->len; i++)
#else
  for (size_t i = 0; i < b->len; i++)
#endif
    sum += b->data[i]; //~ element
  if (sum == 1000)
    abort(); //~ total
  return sum;
}

// Both are the same buffer.
int both(struct buffer *a, struct buffer *b) {
  if (!a || !b || a->len < 1 || b->len < 1)
    return 0;
  a->data[0] = 7;
  b->data[0] = 8;
  if (a->data[0] == 8)
    abort(); //~ both
  return 0;
}

// Nothing but the buffer itself leads to its bytes.
int apart(struct buffer *a, struct buffer *b) {
  if (!a || !b)
    return 0;
  if (a->data == b->data)
    assert(a == b && a->len == b->len);
  return 0;
}

struct message {
  int kind;
  struct {
    unsigned char len;
    short *data;
  } body;
};

int nested(struct message *m) {
  if (!m || m->body.len < 2)
    return 0;
#ifdef FAULT_BEHIND
  return m->body.data[m->body.len]; //~ nested
#else
  return m->body.data[m->body.len - 1];
#endif
}

int by_value(struct buffer b) {
  if (b.len == 3 && b.data[2] == 'x')
    abort(); //~ value
  return 0;
}

static struct buffer pending;

int in_global(void) {
  if (pending.len == 2 && pending.data[1] == 9)
    abort(); //~ global
  return 0;
}

struct title {
  char *text;
  int len;
};

int titled(const struct title *t) {
  if (!t)
    return 0;
  assert(strlen(t->text) == (size_t)t->len);
  if (t->len == 2 && t->text[1] == 'q')
    abort(); //~ titled
  return 0;
}

int measured(const char *s, size_t n) {
  assert(s[n] == 0);
  if (n == 3 && !strcmp(s, "abc"))
    abort(); //~ measured
  return 0;
}

int counted_behind(const int *a, struct buffer b) {
  int sum = 0;
  for (size_t i = 0; i < b.len; i++)
    sum ^= a[i];
  return sum;
}

int arguments(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "-v"))
      abort(); //~ argument
  return 0;
}

struct table {
  char *names[3];
};

int slots(const struct table *t) {
  if (t && !strcmp(t->names[2], "ab"))
    abort(); //~ slot
  return 0;
}

struct heap {
  int (*less)(int, int);
  void (*moved)(int);
  int keys[2];
};

int by_key(int a, int b) { return a < b; }
int always(int a, int b) { return (a | b) + 1 != a || 1; }

// Of two keys the smaller one, which no other is smaller than.
int smaller(struct heap *h) {
  if (!h)
    return 0;
  int first = h->less(h->keys[0], h->keys[1]) ? 0 : 1;
  if (h->moved)
    h->moved(first);
  assert(!h->less(h->keys[1 - first], h->keys[first])); //~ smaller
  return h->keys[first];
}

struct value {
  int kind;
  union {
    long number;
    double real;
    char *text;
    struct buffer *items;
  } as;
};

int number(const struct value *v) {
  if (v && v->kind == 1 && v->as.number == 123456789)
    abort(); //~ number
  return 0;
}

int list_of(const struct value *v) {
  if (v && v->kind == 4 && v->as.items->len == 5)
    abort(); //~ items
  return 0;
}

int rows(int m[3][4]) {
  if (m && m[2][3] == 7)
    abort(); //~ rows
  return 0;
}

int some_rows(int (*m)[4], int n) {
  for (int i = 0; i < n; i++)
    if (m && m[i][3] == 7)
      abort(); //~ some
  return 0;
}

struct pay {
  int weight;
  struct pay *other;
};

struct entry {
  int kind;
  const void *data;
};

int payload(const struct entry *e) {
  const struct pay *p = e ? e->data : NULL;
  if (p && p->other && p->other->weight == 77)
    abort(); //~ payload
  return 0;
}
