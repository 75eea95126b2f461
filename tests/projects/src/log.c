#include "list.h"
#include <stdio.h>

void log_line(const char *what, int n)
{
  printf("%s %d\n", what, n);
}
