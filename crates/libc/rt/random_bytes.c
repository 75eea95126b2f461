// Bytes that nobody can know before: input, while paths are explored.

#include "rt.h"

#include <sys/random.h>
#include <unistd.h>

static void fill(void *buf, size_t n, const char *function) {
#ifdef RT_FOLLOWED
  __sp_make_input(buf, n, function);
#else
  unsigned char *to = buf;
  static uint64_t state = 0x853c49e6748fea9b;
  for (size_t i = 0; i < n; i++) {
    state = state * 6364136223846793005 + 1442695040888963407;
    to[i] = (unsigned char)(state >> 56);
  }
  (void)function;
#endif
}

ssize_t getrandom(void *buf, size_t n, unsigned flags) {
  if (flags & ~(unsigned)(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)) return __rt_fail(EINVAL);
  fill(buf, n, "getrandom");
  return (ssize_t)n;
}

int getentropy(void *buf, size_t n) {
  if (n > 256) return __rt_fail(EIO);
  fill(buf, n, "getentropy");
  return 0;
}

void arc4random_buf(void *buf, size_t n) { fill(buf, n, "arc4random_buf"); }

uint32_t arc4random(void) {
  uint32_t value;
  fill(&value, sizeof value, "arc4random");
  return value;
}

uint32_t arc4random_uniform(uint32_t bound) {
  uint32_t value;
  fill(&value, sizeof value, "arc4random_uniform");
  if (bound < 2) return 0;
#ifdef RT_FOLLOWED
  __sp_assume(value < bound);
#endif
  return value % bound;
}
