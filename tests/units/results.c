// Functions that nobody defines return inputs of the types that they are declared with, pointers included.
//
// trial: entry=list expect=abort at=list
// trial: entry=cycle expect=abort at=cycle
// trial: entry=shared expect=abort at=shared
// trial: entry=text expect=abort at=text
// trial: entry=missing expect=null-deref at=missing
// trial: entry=number expect=abort at=number
// trial: entry=by_value expect=abort at=value
// trial: entry=in_registers expect=abort at=registers
// trial: entry=untyped expect=abort at=untyped
// trial: entry=handle expect=abort at=handle
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
};

struct large {
  long items[4];
  struct node *first;
};

struct small {
  struct node *node;
  short kind;
};

struct opaque;

struct node *make_list(int n);
const char *name_of(int n);
int number_of(const char *name);
struct large many(void);
struct small one(void);
void *raw(void);
struct opaque *open_it(void);
int use_it(struct opaque *it);

void list(void) {
  struct node *first = make_list(1);
  if (first && first->next && first->next->next && first->next->value == 7 && first->next->next->value == 77)
    abort(); //~ list
}

void cycle(void) {
  struct node *first = make_list(1);
  if (first && first->next && first->next != first && first->next->next == first)
    abort(); //~ cycle
}

// What two calls return may be the same object, or that of a parameter.
void shared(struct node *given) {
  struct node *first = make_list(1), *second = make_list(2);
  if (first && second == first && given == first)
    abort(); //~ shared
}

void text(void) {
  const char *name = name_of(1);
  if (name && strcmp(name, "key") == 0)
    abort(); //~ text
}

int missing(void) {
  return *name_of(3); //~ missing
}

void number(void) {
  if (number_of("a") == 1234 && number_of("b") == 4321)
    abort(); //~ number
}

void by_value(void) {
  struct large all = many();
  if (all.items[3] == 99 && all.first && all.first->value == -1)
    abort(); //~ value
}

void in_registers(void) {
  struct small small = one();
  if (small.kind == 'k' && small.node && small.node->value == 5)
    abort(); //~ registers
}

void untyped(void) {
  char *bytes = raw();
  if (bytes && bytes[200] == 'x')
    abort(); //~ untyped
}

void handle(void) {
  struct opaque *it = open_it();
  if (it && use_it(it) == 3)
    abort(); //~ handle
}
