// The program's stack.

#include "replay.h"

#include <sys/resource.h>

// As large as a test says, as far as that is allowed.
void spelunk_give_stack(uint64_t size) {
  struct rlimit limits;
  if (getrlimit(RLIMIT_STACK, &limits) != 0)
    return;
  limits.rlim_cur = limits.rlim_max < size ? limits.rlim_max : size;
  setrlimit(RLIMIT_STACK, &limits);
}
