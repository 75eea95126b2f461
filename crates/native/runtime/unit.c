// The calls of a unit: its objects are made, then one function after another is called.

#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// What a leak search starts from: it is on no stack, and no static variable.
static void **roots;
static unsigned n_roots;

int spelunk_is_moved;

// Memory that nobody uses, so that what is allocated next is elsewhere, and at another distance from what was before.
static void take_places(size_t size, uint32_t count) {
  // Otherwise the compiler would leave it out.
  void *volatile unused;
  while (spelunk_is_moved && count--)
    unused = malloc(size);
  (void)unused;
}

void __asan_poison_memory_region(const volatile void *start, size_t size) __attribute__((weak));

// An object at a given address, with pages around it that nothing may touch.
static unsigned char *place_at(uint64_t address, size_t size) {
  const uintptr_t page = 4096;
  uintptr_t first = (address & -page) - page, end = ((address + size + page - 1) & -page) + page;
  void *wanted = (void *)first;
  if (mmap(wanted, end - first, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) !=
      wanted) {
    spelunk_log("address-in-use", NULL, 0);
    spelunk_stop(0);
  }
  if (__asan_poison_memory_region) {
    __asan_poison_memory_region(wanted, address - first);
    __asan_poison_memory_region((void *)(address + size), end - address - size);
  }
  return (void *)address;
}

static unsigned char *place_for(const struct test *test, uint32_t number) {
  const struct object *object = &test->objects[number];
  if (number < test->n_params && spelunk_variables[number])
    return spelunk_variables[number]();
  if (number < test->n_params + test->n_results)
    return spelunk_reserve(object->size);
  if (object->wanted)
    return place_at(object->wanted, object->size);
  take_places(object->size, number + 1);
  return malloc(object->size);
}

uintptr_t spelunk_target_of(const struct test *test, const struct reference *reference) {
  if (reference->target >= FIRST_FUNCTION)
    return (uintptr_t)spelunk_functions[reference->target - FIRST_FUNCTION]();
  return (uintptr_t)test->objects[reference->target].address + reference->at;
}

void spelunk_make_objects(const struct test *test) {
  spelunk_is_allocating_input = 1;
  for (size_t size = 16; size <= 512; size += 16)
    take_places(size, 1);
  for (uint32_t i = 0; i < test->n_objects; i++) {
    struct object *object = &test->objects[i];
    object->address = place_for(test, i);
    memset(object->address, 0, object->size);
    memcpy(object->address, object->content.data, object->content.len);
  }
  spelunk_is_allocating_input = 0;
  for (uint32_t i = 0; i < test->n_objects; i++)
    for (uint32_t k = 0; k < test->objects[i].n_references; k++) {
      const struct reference *reference = &test->objects[i].references[k];
      uintptr_t value = spelunk_target_of(test, reference);
      memcpy(test->objects[i].address + reference->offset, &value, sizeof value);
    }
  for (uint32_t i = 0; i < test->n_inputs; i++)
    if (test->results[i] != NO_OBJECT)
      test->inputs[i].content.data = test->objects[test->results[i]].address;
}

void spelunk_keep_result(const void *result, size_t size) {
  if (size > 0)
    spelunk_compare_result(result, size);
  size_t n_words = size / sizeof(void *);
  roots = spelunk_reserve(n_words * sizeof *roots);
  memcpy(roots, result, n_words * sizeof *roots);
  n_roots = (unsigned)n_words;
}

static void note_leaks(const struct test *test) {
  size_t n_words = n_roots;
  for (uint32_t i = 0; i < test->n_params; i++)
    n_words += test->objects[i].size / sizeof(void *);
  void **all = spelunk_reserve(n_words * sizeof *all);
  memcpy(all, roots, n_roots * sizeof *all);
  size_t used = n_roots;
  for (uint32_t i = 0; i < test->n_params; i++) {
    size_t count = test->objects[i].size / sizeof(void *);
    memcpy(all + used, test->objects[i].address, count * sizeof *all);
    used += count;
  }
  spelunk_note_leaks(all, (unsigned)used, NULL);
}

static void check(const struct spelunk_call *call, long holds) {
  if (holds || call->role == ROLE_TEST)
    return;
  spelunk_log(call->role == ROLE_ASSUME ? "excluded" : "ensure", NULL, 0);
  spelunk_stop(0);
}

void spelunk_run_unit(const struct test *test) {
  spelunk_make_objects(test);
  spelunk_expect(test);
  void **params = spelunk_reserve(test->n_params * sizeof *params);
  for (uint32_t i = 0; i < test->n_params; i++)
    params[i] = test->objects[i].address;
  for (unsigned i = 0; i < spelunk_n_calls;) {
    const struct spelunk_call *call = &spelunk_calls[i];
    if ((uint32_t)call->step >= test->n_steps)
      break;
    unsigned end = i;
    while (end < spelunk_n_calls && spelunk_calls[end].step == call->step)
      end++;
    if (call->choice >= 0) {
      unsigned chosen = *(unsigned char *)params[call->choice];
      call += chosen < end - i ? chosen : end - i - 1;
    }
    check(call, call->invoke(params));
    i = end;
  }
  spelunk_compare_objects();
  note_leaks(test);
}
