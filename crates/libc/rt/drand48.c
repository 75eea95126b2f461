// The 48-bit linear congruential generators.

#include "rt.h"

static const uint64_t MASK = ((uint64_t)1 << 48) - 1;

static struct generator {
  uint64_t multiplier;
  uint64_t increment;
} parameters = {0x5deece66d, 0xb};

static uint64_t current;

static uint64_t pack(const unsigned short words[3]) {
  return (uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0];
}

static void unpack(unsigned short words[3], uint64_t value) {
  words[0] = (unsigned short)value;
  words[1] = (unsigned short)(value >> 16);
  words[2] = (unsigned short)(value >> 32);
}

static uint64_t step(uint64_t x) { return (x * parameters.multiplier + parameters.increment) & MASK; }

static uint64_t step_words(unsigned short words[3]) {
  uint64_t next = step(pack(words));
  unpack(words, next);
  return next;
}

static uint64_t step_current(void) {
  RT_NOTE(RT_ONE_ANSWER, "drand48", "and its like give one sequence of values");
  return current = step(current);
}

static double as_real(uint64_t x) { return (double)x / (double)(MASK + 1); }
static long as_unsigned(uint64_t x) { return (long)(x >> 17); }
static long as_signed(uint64_t x) { return (int32_t)(x >> 16); }

double drand48(void) { return as_real(step_current()); }
double erand48(unsigned short words[3]) { return as_real(step_words(words)); }
long lrand48(void) { return as_unsigned(step_current()); }
long nrand48(unsigned short words[3]) { return as_unsigned(step_words(words)); }
long mrand48(void) { return as_signed(step_current()); }
long jrand48(unsigned short words[3]) { return as_signed(step_words(words)); }

static void reset_parameters(void) { parameters = (struct generator){0x5deece66d, 0xb}; }

void srand48(long seed) {
  reset_parameters();
  current = (uint64_t)(uint32_t)seed << 16 | 0x330e;
}

unsigned short *seed48(unsigned short words[3]) {
  static unsigned short previous[3];
  unpack(previous, current);
  reset_parameters();
  current = pack(words);
  return previous;
}

void lcong48(unsigned short words[7]) {
  current = pack(words);
  parameters = (struct generator){pack(words + 3), words[6]};
}
