// Loops that a test is said never to leave: visits of the head are counted, and the state there is compared with the set that
// the test is said to stay in.

#include "replay.h"

#include <stdarg.h>

// Visits in a row after which nobody needs to see more.
enum { ENOUGH = 1000000, MOST_VARIABLES = 64 };

static const struct spelunk_endless *watched;
// The visit at which the state came into the set.
static uint64_t first_in_set;

void spelunk_watch_loop(uint32_t test) {
  watched = 0;
  spelunk_result->rounds = (struct spelunk_rounds){0};
  for (unsigned i = 0; i < spelunk_n_endless; i++)
    if (spelunk_endless[i].test == test)
      watched = &spelunk_endless[i];
}

// How exactly a test is watched: not at all, by its rounds, by its states.
static int precision(void) {
  if (!watched || !watched->is_there)
    return 0;
  return watched->is_in_set && watched->is_there[0] ? 2 : 1;
}

// The loop is entered anew: what counts is how long a run stays in it.
void spelunk_loop_entered(uint32_t head) {
  if (watched && watched->head == head)
    spelunk_result->rounds.in_loop = 0;
}

// Called at the head of a loop with the addresses of the variables that sets speak of.
void spelunk_head(uint32_t head, uint32_t n_variables, ...) {
  if (!watched || watched->head != head)
    return;
  struct spelunk_rounds *rounds = &spelunk_result->rounds;
  rounds->in_loop++;
  rounds->all++;
  if (precision() == 2) {
    const unsigned char *variables[MOST_VARIABLES];
    va_list rest;
    va_start(rest, n_variables);
    for (uint32_t i = 0; i < n_variables; i++)
      variables[i] = va_arg(rest, const unsigned char *);
    va_end(rest);
    if (rounds->in_set && (rounds->all - first_in_set) % watched->every != 0)
      return;
    if (!watched->is_in_set(variables)) {
      rounds->left += rounds->in_set > 0;
      rounds->in_set = 0;
      return;
    }
    if (rounds->in_set++ == 0)
      first_in_set = rounds->all;
  }
  if ((precision() == 2 ? rounds->in_set : rounds->in_loop) >= ENOUGH)
    spelunk_stop(0);
}

void spelunk_note_rounds(void) {
  const struct spelunk_rounds *it = &spelunk_result->rounds;
  char line[160];
  if (watched)
    write_line(line, (size_t)snprintf(line, sizeof line, "rounds %d %llu %llu %llu %llu", precision(),
                                      (unsigned long long)it->all, (unsigned long long)it->in_loop,
                                      (unsigned long long)it->in_set, (unsigned long long)it->left));
}
