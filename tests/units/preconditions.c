// Findings that only inputs show which contradict something that all others have in common.
//
// trial: entry=push expect=out-of-bounds at=push says=`v->size_<=_v->capacity`
// trial: entry=push fault=EQUAL expect=out-of-bounds at=push says=1_bug_(1_confirmed)
// trial: entry=append expect=null-deref at=length says=2_need_a_precondition
// trial: entry=append expect=null-deref at=tail says=`(l->length_==_0_||_l->tail_!=_NULL)`
// trial: entry=either expect=null-deref at=either says=1_bug_(1_confirmed)
// trial: entry=all_positive expect=null-deref at=value says=`t->items[i]->value_!=_NULL`
// trial: entry=join expect=null-deref at=first says=`(*parts)_!=_NULL_&&_parts_!=_NULL`
// trial: entry=join expect=out-of-bounds at=next says=--param_'parts=array:N'
// trial: entry=escape expect=out-of-bounds at=written says=`out_leads_to_more_than
// trial: entry=escape param=out=array:4 expect=out-of-bounds at=written says=1_bug
// trial: entry=unterminated expect=out-of-bounds at=unterminated says=1_bug
// trial: entry=stored expect=out-of-bounds at=stored says=--param_'data=bytes:N'
// trial: entry=last_cell expect=out-of-bounds at=cell says=`r_leads_to_more_than_12_bytes`
// trial: entry=lookup expect=null-deref at=name says=`name_!=_NULL_in_every_struct_entry`
// trial: entry=lookup param=e->name=nonnull expect=clean
// trial: entry=lookup_named expect=null-deref at=forgotten says=1_bug_(1_confirmed)
#include <stddef.h>
#include <stdlib.h>

struct vector {
  int *data;
  size_t size, capacity;
};

int push(struct vector *v, int x) {
  if (v == NULL)
    return -1;
#ifdef FAULT_EQUAL
  if (v->size == v->capacity + 1)
    return -1;
#else
  if (v->size == v->capacity) {
    size_t capacity = v->capacity ? 2 * v->capacity : 4;
    int *data = realloc(v->data, capacity * sizeof *data);
    if (data == NULL)
      return -1;
    v->data = data;
    v->capacity = capacity;
  }
#endif
  v->data[v->size++] = x; //~ push
  return 0;
}

struct node {
  struct node *next;
};

struct list {
  struct node *head, *tail;
  unsigned length;
};

// That it returns for a node that is null says nothing about the list, which it does not look at then.
struct node *append(struct list *l, struct node *n) {
  if (n == NULL)
    return NULL;
  if (l->length) //~ length
    l->tail->next = n; //~ tail
  else
    l->head = n;
  l->tail = n;
  l->length++;
  n->next = NULL;
  return n;
}

// It checks for null, and then forgets about it.
int either(const int *p, int x) {
  int is_given = 0;
  if (p != NULL)
    is_given = 1;
  if (x == 7)
    return *p; //~ either
  return is_given;
}

// Elements of an array that may be null.
struct item {
  const int *value;
};

struct table {
  struct item **items;
  int n_items;
};

int all_positive(const struct table *t) {
  if (t == NULL)
    return 0;
  for (int i = 0; i < t->n_items; i++) {
    const int *value = t->items[i]->value;
    if (*value <= 0) //~ value
      return 0;
  }
  return 1;
}

// How many there are, nobody says: they end with a null pointer.
int join(const char *const *parts) {
  int n = parts[0][0] != 0; //~ first
  for (int i = 1; parts[i] != NULL; i++) //~ next
    n++;
  return n;
}

// How much room there is, neither.
void escape(unsigned char n, char *out) {
  if (out == NULL)
    return;
  for (; n > 0; n--) {
    *out++ = '%'; //~ written
    // As often as the number says.
  }
}

// But a string ends where it ends.
int unterminated(const char *s) {
  int i = 0;
  if (s == NULL)
    return 0;
  while (s[i] != '"') //~ unterminated
    i++;
  return i;
}

void stored(void *data, int at) {
  if (data != NULL && at >= 0)
    ((char *)data)[at] = 0; //~ stored
}

struct row {
  unsigned n;
  unsigned char cells[];
};

int last_cell(const struct row *r) {
  return r && r->n ? r->cells[r->n - 1] : 0; //~ cell
}

struct entry {
  struct entry *next;
  const char *name;
  int value;
};

// In a list of any length: each element that it comes to has a name.
int lookup(const struct entry *e, char first) {
  for (; e != NULL; e = e->next)
    if (e->name[0] == first) //~ name
      return e->value;
  return 0;
}

// It knows that there may be none, and then forgets about it.
int lookup_named(const struct entry *e, char first) {
  for (; e != NULL; e = e->next)
    if (e->name != NULL && e->name[0] == first)
      return e->value;
    else if (e->value == 7)
      return e->name[1]; //~ forgotten
  return 0;
}
