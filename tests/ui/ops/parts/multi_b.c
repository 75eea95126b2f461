#include "multi.h"
static const char *secret = "abcdef";
static int step(void) { return *secret++; }
const char *const b_name = "b";
int b_step(void) { return shared += a_table[0], step(); }
struct item make_item(const char *name, int n) { return (struct item){name, twice(n)}; }
