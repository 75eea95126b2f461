// The program's heap: how large it is, and what of it nothing leads to at the end.
//
// What a block is and who allocated it is known to the sanitizer; only its start is noted here, so that programs with leak
// search run as fast as others.

#include "replay.h"

#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FRAMES = 30, FIRST_CAPACITY = 1 << 10, THREAD_STRUCT_SIZE = 2048 };

int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *)) __attribute__((weak));
size_t __sanitizer_get_allocated_size(const volatile void *start) __attribute__((weak));
int __sanitizer_get_ownership(const volatile void *start) __attribute__((weak));
size_t __asan_get_alloc_stack(void *start, void **trace, size_t size, int *thread) __attribute__((weak));
void *__asan_get_current_fake_stack(void) __attribute__((weak));
void __asan_poison_memory_region(const volatile void *start, size_t size) __attribute__((weak));
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__asan_addr_is_in_fake_stack(void *stack, void *address, void **first, void **end) __attribute__((weak));

// The sanitizer gives a byte to those who ask for none. They must not touch it.
static void *without_room(void *block) {
  if (block && __asan_poison_memory_region)
    __asan_poison_memory_region(block, 1);
  return block;
}

// The linker leads the program's calls here.
void *__wrap_malloc(size_t size) {
  void *block = __real_malloc(size);
  return size == 0 ? without_room(block) : block;
}

void *__wrap_calloc(size_t count, size_t size) {
  void *block = __real_calloc(count, size);
  return count == 0 || size == 0 ? without_room(block) : block;
}

void *__wrap_realloc(void *block, size_t size) {
  void *moved = __real_realloc(block, size);
  return size == 0 && !block ? without_room(moved) : moved;
}

struct block {
  uintptr_t start;
  // How many were allocated before.
  size_t number;
  int is_input, is_reached;
};

int spelunk_is_allocating_input;
static uint64_t max_bytes, n_bytes;
static int is_watching, is_finding_leaks;
// In the order of allocation, among them freed ones: a start may be there several times, of which the last counts.
static struct block *blocks;
static size_t n_blocks, n_ever, capacity;

static int is_live(const struct block *block) { return __sanitizer_get_ownership((void *)block->start); }

// Room for more: what was freed goes, and if that is little, there will be twice the room.
static void make_room(void) {
  size_t n_live = 0;
  for (size_t i = 0; i < n_blocks; i++)
    if (is_live(&blocks[i]))
      blocks[n_live++] = blocks[i];
  n_blocks = n_live;
  if (n_blocks < capacity / 2)
    return;
  capacity = capacity ? 2 * capacity : FIRST_CAPACITY;
  struct block *larger = spelunk_reserve(capacity * sizeof *larger);
  memcpy(larger, blocks, n_blocks * sizeof *larger);
  blocks = larger;
}

// As the sanitizer knows it, who allocated a block. Of blocks that come from the same place one after another, one is told.
static void log_block(const char *kind, uintptr_t start) {
  static void *trace[MAX_FRAMES], *last[MAX_FRAMES];
  int thread;
  size_t n_frames = 0;
  memcpy(last, trace, sizeof last);
  if (__asan_get_alloc_stack)
    n_frames = __asan_get_alloc_stack((void *)start, trace, MAX_FRAMES, &thread);
  if (n_frames == 0 || memcmp(last, trace, sizeof last) != 0)
    spelunk_log(kind, trace, (int)n_frames);
}

static void on_malloc(const volatile void *start, size_t size) {
  if (!is_watching || !start)
    return;
  n_bytes += size;
  if (n_bytes > max_bytes) {
    log_block("memory-limit", (uintptr_t)start);
    spelunk_stop(0);
  }
  if (!is_finding_leaks)
    return;
  if (n_blocks == capacity)
    make_room();
  blocks[n_blocks++] = (struct block){(uintptr_t)start, n_ever++, spelunk_is_allocating_input, 0};
}

static void on_free(const volatile void *start) {
  // What is not there can't be freed, which is for the sanitizer to tell.
  if (!is_watching || !start || !__sanitizer_get_ownership(start))
    return;
  size_t size = __sanitizer_get_allocated_size(start);
  n_bytes -= size < n_bytes ? size : n_bytes;
}

void spelunk_watch_heap(uint64_t limit, int finds_leaks) {
  if (!__sanitizer_install_malloc_and_free_hooks)
    return;
  max_bytes = limit;
  // Only AddressSanitizer says where blocks come from.
  is_finding_leaks = finds_leaks && __asan_get_alloc_stack;
  is_watching = 1;
  __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

static int by_start(const void *a, const void *b) {
  const struct block *x = a, *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

// The live block that an address is in, or at the end of.
static struct block *block_at(uintptr_t address) {
  size_t low = 0, high = n_blocks;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (blocks[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  struct block *block = low > 0 ? &blocks[low - 1] : NULL;
  return block && address - block->start <= __sanitizer_get_allocated_size((void *)block->start) ? block : NULL;
}

static struct block **waiting;
static size_t n_waiting;

static void reach_word(uintptr_t word) {
  if (n_blocks == 0 || word < blocks[0].start)
    return;
  struct block *block = block_at(word);
  if (block && !block->is_reached) {
    block->is_reached = 1;
    waiting[n_waiting++] = block;
  }
}

static void reach(const void *from, const void *to) {
  uintptr_t first = ((uintptr_t)from + 7) & ~(uintptr_t)7;
  for (const uintptr_t *word = (const uintptr_t *)first; word + 1 <= (const uintptr_t *)to; word++)
    reach_word(*word);
}

// To notice their use after a return, the sanitizer has local variables elsewhere, with a pointer to them on the stack.
static void reach_stack(const void *from, const void *to) {
  void *elsewhere = __asan_get_current_fake_stack ? __asan_get_current_fake_stack() : NULL;
  reach(from, to);
  for (void *const *word = from; elsewhere && word + 1 <= (void *const *)to; word++) {
    void *first, *end;
    if (__asan_addr_is_in_fake_stack(elsewhere, *word, &first, &end))
      reach(first, end);
  }
}

static void reach_all(void) {
  while (n_waiting > 0) {
    struct block *block = waiting[--n_waiting];
    reach((void *)block->start, (char *)block->start + __sanitizer_get_allocated_size((void *)block->start));
  }
}

// Variables of the program and of the libraries, whose own blocks, such as the buffers of streams, are not lost either.
static int reach_variables(struct dl_phdr_info *module, size_t size, void *n_thread_bytes) {
  (void)size;
  for (unsigned i = 0; i < module->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &module->dlpi_phdr[i];
    const char *start = (const char *)module->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && segment->p_flags & PF_W)
      reach(start, start + segment->p_memsz);
    if (segment->p_type == PT_TLS)
      *(size_t *)n_thread_bytes += segment->p_memsz + segment->p_align;
  }
  return 0;
}

// Those that each thread has lie before its own structure.
static void reach_thread(size_t size) {
  char *thread = (char *)pthread_self();
  reach(thread - size, thread + THREAD_STRUCT_SIZE);
}

// In the order of their starts, each once.
static void sort_blocks(void) {
  make_room();
  qsort(blocks, n_blocks, sizeof *blocks, by_start);
  size_t n_kept = 0;
  for (size_t i = 0; i < n_blocks; i++) {
    n_kept -= n_kept > 0 && blocks[n_kept - 1].start == blocks[i].start;
    blocks[n_kept++] = blocks[i];
  }
  n_blocks = n_kept;
}

// What the roots, variables and the stack up to its base don't lead to is lost.
void spelunk_note_leaks(void *const *roots, unsigned n_roots, void *stack_base) {
  if (!is_finding_leaks || !is_watching)
    return;
  is_watching = 0;
  sort_blocks();
  waiting = spelunk_reserve((n_blocks + 1) * sizeof *waiting);
  jmp_buf registers;
  setjmp(registers);
  if (stack_base)
    reach_stack(__builtin_frame_address(0), stack_base);
  reach(roots, roots + n_roots);
  size_t n_thread_bytes = 0;
  dl_iterate_phdr(reach_variables, &n_thread_bytes);
  reach_thread(n_thread_bytes);
  reach_all();
  for (size_t i = 0; i < n_blocks; i++)
    if (!blocks[i].is_reached) {
      if (blocks[i].is_input)
        spelunk_log("leak-of-input", NULL, 0);
      else
        log_block("leak", blocks[i].start);
    }
}
