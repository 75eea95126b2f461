// Memory that the program has not initialised, where that is input: it has what the test says.

#include "replay.h"

static const struct unset *all;
static uint32_t count;

void spelunk_set_uninitialised(const struct unset *unset, uint32_t n_unset) {
  all = unset;
  count = n_unset;
}

// Not by `memcpy`, since to AddressSanitizer a variable is not there yet.
static void fill(volatile unsigned char *to, struct bytes content) {
  for (uint32_t i = 0; i < content.len; i++)
    to[i] = content.data[i];
}

// Called where a variable comes to life, or a block was allocated.
void spelunk_uninitialised(void *start, size_t size, uint64_t place) {
  for (uint32_t i = 0; start && i < count; i++)
    if (all[i].place == place && all[i].offset + (size_t)all[i].content.len <= size)
      fill((volatile unsigned char *)start + all[i].offset, all[i].content);
}
