// rand, random and rand_r with glibc's sequences: random is its default generator, r[i] = r[i-3] + r[i-31], whose first
// values come from the minimal standard generator. State buffers of other sizes (initstate) are left out.

#include "rt.h"

enum { DEGREE = 31, SEPARATION = 3, N_DISCARDED = 10 * DEGREE };

static uint32_t state[DEGREE];
static int front = SEPARATION;
static int rear;
static int seeded;

static uint32_t step(void) {
  uint32_t sum = state[front] += state[rear];
  front = front + 1 == DEGREE ? 0 : front + 1;
  rear = rear + 1 == DEGREE ? 0 : rear + 1;
  return sum >> 1;
}

// x * 16807 mod 2^31 - 1 by Schrage's method. The operands are signed as in glibc, which shows for seeds above 2^31.
static int32_t next_seed(int32_t x) {
  int64_t high = x / 127773, low = x % 127773;
  int64_t next = 16807 * low - 2836 * high;
  return (int32_t)(next < 0 ? next + 2147483647 : next);
}

void srandom(unsigned seed) {
  int32_t value = (int32_t)(seed == 0 ? 1 : seed);
  for (int i = 0; i < DEGREE; i++) {
    state[i] = (uint32_t)value;
    value = next_seed(value);
  }
  front = SEPARATION;
  rear = 0;
  seeded = 1;
  for (int i = 0; i < N_DISCARDED; i++) step();
}

static long next_random(void) {
  if (!seeded) srandom(1);
  return step();
}

long random(void) {
  RT_NOTE(RT_ONE_ANSWER, "random", "gives one sequence of values");
  return next_random();
}

int rand(void) {
  RT_NOTE(RT_ONE_ANSWER, "rand", "gives one sequence of values");
  return (int)next_random();
}

RT_ALIAS(srand, srandom);

int rand_r(unsigned *seed) {
  unsigned next = *seed;
  unsigned result = 0;
  static const unsigned moduli[] = {2048, 1024, 1024};
  for (int i = 0; i < 3; i++) {
    next = next * 1103515245 + 12345;
    result = result << 10 ^ next / 65536 % moduli[i];
  }
  *seed = next;
  return (int)result;
}
