// What runs are seen to do: results, objects and variables that change, objects that are freed.
#include <stdlib.h>

struct node {
  char tag;
  int key;
  struct node *next;
};

struct pair {
  short first;
  long second;
};

struct large {
  long values[4];
  struct node *found;
};

struct list {
  struct node *head;
  unsigned count;
};

int counter = 7;
static struct node *last;
static const char *text = "nothing";
static int (*chosen)(struct node *);

static int key_of(struct node *n) { return n->key; }

// Inserts a new element in front: the list changes, and the result is memory of its own.
struct node *list_insert(struct list *list, int key) {
  if (!list)
    return NULL;
  struct node *added = malloc(sizeof *added);
  added->key = key;
  added->next = list->head;
  list->head = added;
  list->count++;
  return added;
}

// Returns an element of the input.
struct node *second_of(struct node *n) { return n && n->next ? n->next : n; }

// In two registers, with padding that nobody sets.
struct pair make_pair(int a) {
  struct pair made;
  made.first = (short)a;
  made.second = a > 0 ? -1 : 1;
  return made;
}

// In memory.
struct large make_large(struct node *n) {
  struct large made = {{1, 2, 3, counter}, n};
  return made;
}

// Frees its element, and notes where it was.
int list_drop(struct node *n) {
  static int n_dropped;
  if (!n)
    return -1;
  last = n->next;
  counter += 3;
  text = "dropped";
  chosen = key_of;
  n_dropped++;
  free(n);
  return n_dropped;
}

float half(float x) { return x / 2; }

_Bool is_empty(const struct list *list) { return !list || !list->head; }

void nothing(int x) { (void)x; }

void leave(int x) {
  if (x == 5)
    exit(0);
}

struct stack {
  int top;
  int values[4];
};

void stack_init(struct stack *s) { s->top = 0; }

_Bool stack_push(struct stack *s, int value) {
  if (s->top == 4)
    return 0;
  s->values[s->top++] = value;
  return 1;
}

int stack_pop(struct stack *s) { return s->top ? s->values[--s->top] : -1; }
