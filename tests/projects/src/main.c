#include "list.h"
#include <stdio.h>

int main(void)
{
  struct list b = { 0 }, a = { &b };
  printf("%d\n", list_len(&a));
  return 0;
}
