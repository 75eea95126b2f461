#include "list.h"

/* A double for tests: the library's is meant, unless this file is named. */
int add(int a, int b)
{
  return a - b;
}

int main(void)
{
  return list_len(0);
}
