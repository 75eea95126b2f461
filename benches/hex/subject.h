// What the subjects share: pairs of operations, and what their self-tests need in a native build (-DSELFTEST).
#ifndef SUBJECT_H
#define SUBJECT_H

#include <spelunk.h>
#include <stddef.h>
#include <stdlib.h>

// Two operations of a subject in a row, as a function that `--entry` can name.
#define PAIR(structure, first, second)                                                                                 \
  int first##_then_##second(structure, int x, int y) { return first(s, x) + second(s, y); }

#ifdef SELFTEST
#include <stdio.h>

// Stands for a pointer that nothing was decided about.
static char undecided_mark;
#define UNDECIDED ((void *)&undecided_mark)

int spelunk_is_decided(const void *pointer) { return pointer != UNDECIDED; }

_Noreturn void spelunk_fail(const char *condition) {
  printf("failed: %s\n", condition);
  exit(1);
}

#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                                                  \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

// Says `checks` while a variable has another value.
#define WITH(variable, value, checks)                                                                                  \
  do {                                                                                                                 \
    __typeof__(variable) *at_ = &(variable), saved_ = *at_;                                                            \
    *at_ = (value);                                                                                                    \
    checks;                                                                                                            \
    *at_ = saved_;                                                                                                     \
  } while (0)

// A structure with this change is refused.
#define REFUSED(variable, value) WITH(variable, value, EXPECT(!ok(s)))

// A valid structure of which a pointer is not decided may still be valid.
#define OPEN(variable) WITH(variable, UNDECIDED, EXPECT(maybe_ok(s)); EXPECT(numbers_ok(s)))

// A small generator: the same numbers in each run.
static unsigned next_random(void) {
  static unsigned state = 1;
  state = state * 1103515245u + 12345u;
  return state >> 16;
}
#endif

#endif
