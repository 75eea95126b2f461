#include "multi.h"
static int secret = 1000;
static int step(void) { return secret += 10; }
int a_table[] = {7, 8, 9};
int a_step(void) { return shared++, step(); }
