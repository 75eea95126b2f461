// Memory that the program has not initialised, where that is input: it has what the test says.

#include "replay.h"

#include <malloc.h>

static const struct unset *all;
static uint32_t count;
// Which ones the program was given.
static unsigned char *is_handed;

void spelunk_set_uninitialised(const struct unset *unset, uint32_t n_unset) {
  all = unset;
  count = n_unset;
  is_handed = spelunk_reserve(n_unset);
}

// Not by `memcpy`, since to AddressSanitizer a variable is not there yet.
static void fill(volatile unsigned char *to, struct bytes content) {
  for (uint32_t i = 0; i < content.len; i++)
    to[i] = content.data[i];
}

// Called where a variable comes to life, or a block was allocated; in one that has grown, what was there is `kept`.
void spelunk_uninitialised(void *start, size_t kept, size_t size, uint64_t place) {
  for (uint32_t i = 0; start && i < count; i++)
    if (all[i].place == place && all[i].offset >= kept && all[i].offset + (size_t)all[i].content.len <= size) {
      fill((volatile unsigned char *)start + all[i].offset, all[i].content);
      if (!is_handed[i])
        spelunk_log_handed(i);
      is_handed[i] = 1;
    }
}

// How large a block is that will be allocated anew.
size_t spelunk_allocated(void *block) { return malloc_usable_size(block); }
