#include "list.h"
#include "config.h"
#include <stdlib.h>

int list_len(const struct list *l)
{
  int n = 0;
  for (; l; l = l->next)
    n = add(n, STEP);
  return n;
}

/* Only this function needs log.c. */
void list_trace(const struct list *l)
{
  log_line("list", list_len(l));
}

static int limit(int n)
{
  return n > LIMIT ? LIMIT : n;
}

int list_limit(int n)
{
  return limit(n);
}
