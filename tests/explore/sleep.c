// Time is the same in every run, and nobody waits.
// stopped: incomplete
// paths: 2
#include <assert.h>
#include <klee/klee.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  time_t start = time(NULL);
  sleep(3600);
  assert(time(NULL) - start >= 3600);
  if (klee_int("n") == 3)
    assert(getpid() == getpid() && clock() <= clock());
  return start % 2 == 0;
}
