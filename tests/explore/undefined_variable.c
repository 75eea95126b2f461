// paths: 3
// Variables that nobody defines are zeros.
#include <assert.h>
#include <klee/klee.h>

struct unknown;
extern int counter, table[10];
extern struct unknown somewhere;
extern _Thread_local long of_thread;

int main(void) {
  int at = klee_range(0, 10, "at");
  assert(&somewhere != 0 && of_thread == 0);
  if (table[at] + counter)
    return 1;
  counter = at;
  table[3]++;
  if (table[at])
    return 2;
  assert(counter != 7); //~ BUG(assert)
  return counter;
}
