// The program's heap: how large it is, and what of it nothing leads to at the end.

#include "replay.h"

#include <execinfo.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FRAMES = 16, N_BLOCKS = 1 << 20 };

int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *)) __attribute__((weak));

// All static variables are between these.
extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));

struct block {
  // Null if there is none, 1 if it was freed.
  uintptr_t start;
  size_t size;
  int is_input, is_reached, n_frames;
  void *trace[MAX_FRAMES];
};

int spelunk_is_allocating_input;
static uint64_t max_bytes, n_bytes;
static int is_watching, is_busy;
// A hash table, only if leaks are looked for.
static struct block *blocks;
static uint64_t n_blocks;

static struct block *find(uintptr_t start, int is_new) {
  for (uint64_t at = (start >> 4) * 0x9e3779b97f4a7c15u >> 44;; at = (at + 1) % N_BLOCKS)
    if (blocks[at].start == start || blocks[at].start == 0)
      return is_new || blocks[at].start ? &blocks[at] : NULL;
}

static void on_malloc(const volatile void *start, size_t size) {
  if (!is_watching || is_busy || !start)
    return;
  is_busy = 1;
  n_bytes += size;
  void *trace[MAX_FRAMES];
  int n_frames = 0;
  if (n_bytes > max_bytes || blocks)
    n_frames = backtrace(trace, MAX_FRAMES);
  if (n_bytes > max_bytes) {
    spelunk_log("memory-limit", trace, n_frames);
    spelunk_stop(0);
  }
  if (blocks && n_blocks < N_BLOCKS / 2) {
    struct block *block = find((uintptr_t)start, 1);
    n_blocks += block->start == 0;
    *block = (struct block){(uintptr_t)start, size, spelunk_is_allocating_input, 0, n_frames, {0}};
    memcpy(block->trace, trace, sizeof trace);
  }
  is_busy = 0;
}

size_t __sanitizer_get_allocated_size(const volatile void *start) __attribute__((weak));
int __sanitizer_get_ownership(const volatile void *start) __attribute__((weak));

static void on_free(const volatile void *start) {
  // What is not there can't be freed, which is for the sanitizer to tell.
  if (!is_watching || is_busy || !start || !__sanitizer_get_ownership(start))
    return;
  size_t size = __sanitizer_get_allocated_size(start);
  n_bytes -= size < n_bytes ? size : n_bytes;
  struct block *block = blocks ? find((uintptr_t)start, 0) : NULL;
  if (block)
    block->size = SIZE_MAX;
}

void spelunk_watch_heap(uint64_t limit, int finds_leaks) {
  if (!__sanitizer_install_malloc_and_free_hooks)
    return;
  void *first[1];
  // The first call allocates.
  backtrace(first, 1);
  max_bytes = limit;
  if (finds_leaks)
    blocks = spelunk_reserve(N_BLOCKS * sizeof *blocks);
  is_watching = 1;
  __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

static struct block **sorted;
static size_t n_sorted;

static int by_start(const void *a, const void *b) {
  const struct block *x = *(struct block *const *)a, *y = *(struct block *const *)b;
  return (x->start > y->start) - (x->start < y->start);
}

// The live block that an address is in, or at the end of.
static struct block *block_at(uintptr_t address) {
  size_t low = 0, high = n_sorted;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (sorted[middle]->start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || address - sorted[low - 1]->start > sorted[low - 1]->size)
    return NULL;
  return sorted[low - 1];
}

static struct block **waiting;
static size_t n_waiting;

static void reach(const void *from, const void *to) {
  uintptr_t first = ((uintptr_t)from + 7) & ~(uintptr_t)7;
  for (const uintptr_t *word = (const uintptr_t *)first; word + 1 <= (const uintptr_t *)to; word++) {
    struct block *block = block_at(*word);
    if (block && !block->is_reached) {
      block->is_reached = 1;
      waiting[n_waiting++] = block;
    }
  }
}

static void reach_all(void) {
  while (n_waiting > 0) {
    struct block *block = waiting[--n_waiting];
    reach((void *)block->start, (void *)(block->start + block->size));
  }
}

static void list_blocks(void) {
  sorted = spelunk_reserve((n_blocks + 1) * sizeof *sorted);
  waiting = spelunk_reserve((n_blocks + 1) * sizeof *waiting);
  for (size_t i = 0; i < N_BLOCKS; i++)
    if (blocks[i].start && blocks[i].size != SIZE_MAX)
      sorted[n_sorted++] = &blocks[i];
  qsort(sorted, n_sorted, sizeof *sorted, by_start);
}

// What the roots, static variables and the stack up to its base don't lead to is lost.
void spelunk_note_leaks(void *const *roots, unsigned n_roots, void *stack_base) {
  if (!blocks || !is_watching)
    return;
  is_watching = 0;
  list_blocks();
  jmp_buf registers;
  setjmp(registers);
  if (stack_base)
    reach(__builtin_frame_address(0), stack_base);
  reach(roots, roots + n_roots);
  reach(__data_start, _end);
  reach_all();
  for (size_t i = 0; i < n_sorted; i++)
    if (!sorted[i]->is_reached)
      spelunk_log(sorted[i]->is_input ? "leak-of-input" : "leak", sorted[i]->trace,
                  sorted[i]->is_input ? 0 : sorted[i]->n_frames);
}
