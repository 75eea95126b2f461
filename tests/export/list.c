// A list whose elements may be too few, and a stack: for tests that are exported.
#include <stdlib.h>

struct node {
  int key;
  struct node *next;
};

struct stack {
  struct node *top;
  unsigned n;
};

int twice(int n);

static int limit(int n) { return n > 1000 ? 1000 : n; }

// Puts a new element behind the second.
static int insert_third(struct node *list, int key) {
  if (list && list->key == key)
    return -1;
  struct node *added = malloc(sizeof *added);
  added->key = limit(key);
  added->next = list->next->next;
  list->next->next = added;
  list->key = twice(7);
  return list->next->key > 5;
}

void stack_init(struct stack *s) {
  s->top = NULL;
  s->n = 0;
}

void stack_push(struct stack *s, int key) {
  struct node *added = malloc(sizeof *added);
  added->key = key;
  added->next = s->top;
  s->top = added;
  s->n++;
}

int stack_pop(struct stack *s) {
  struct node *top = s->top;
  if (!top)
    return -1;
  int key = top->key;
  s->top = top->next;
  s->n--;
  free(top);
  return key;
}

int stack_ok(const struct stack *s) {
  unsigned n = 0;
  for (const struct node *node = s->top; node; node = node->next)
    n++;
  return n == s->n;
}

int main(void) { return insert_third(NULL, 1); }
