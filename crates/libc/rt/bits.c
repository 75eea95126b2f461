// The lowest bit that is set, counted from 1.

#include "rt.h"

#include <strings.h>

int ffs(int n) { return n ? __builtin_ctz((unsigned)n) + 1 : 0; }
int ffsl(long n) { return n ? __builtin_ctzl((unsigned long)n) + 1 : 0; }

RT_ALIAS(ffsll, ffsl);
