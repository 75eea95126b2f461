// What a function returns that nobody defines is an input, and rules speak of it by the function's name: of what each call returns.
//
// trial: entry=length hex=hex_results.hex objects=node=3 paths=4 expect=clean
// trial: entry=are_apart hex=hex_results.hex objects=node=3 paths=3 expect=clean
// trial: entry=are_apart heap=lazy objects=node=3 expect=assert
// trial: entry=append hex=hex_results_given.hex objects=node=3 expect=clean
// trial: entry=length hex=hex_bad_result.hex expect=usage says=:1:1:_error:_`makelist`_is_no_function_without_a_definition
#include <spelunk.h>
#include <stddef.h>

struct node {
  int value;
  struct node *next;
};

struct node *make_list(void);

int length(void) {
  int n = 0;
  for (const struct node *p = make_list(); p; p = p->next)
    n++;
  return n;
}

int are_apart(void) {
  const struct node *a = make_list(), *b = make_list();
  if (!a || !b)
    return 0;
  spelunk_assert(a != b);
  return 1;
}

int append(struct node *list) {
  struct node *more = make_list();
  int n = more->value > 0;
  if (!list)
    return n;
  struct node *last = list;
  while (last->next)
    last = last->next;
  last->next = more;
  for (const struct node *p = list; p; p = p->next)
    n++;
  return n;
}
