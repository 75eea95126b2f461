#include "list.h"

int add_hook(int a, int b)
{
  if (a == 1000)
    *(volatile int *)0 = b;
  return a + b;
}
