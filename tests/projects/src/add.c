#include "list.h"

/* Each file has flags of its own. */
#if WEIGHT != 2
#error "compiled with the flags of another file"
#endif

int add(int a, int b)
{
  return hook ? hook(a, b) : a + b;
}

int (*hook)(int, int) = add_hook;
