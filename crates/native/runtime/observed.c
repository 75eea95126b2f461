// What a test says that its run did, held against what it does here.

#include "replay.h"

#include <string.h>

int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));

static const struct test *observed;
static uint32_t n_returned;

void spelunk_expect(const struct test *given) { observed = given; }

// What a pointer leads to, as a number that does not depend on where objects are.
static unsigned char place_of(uintptr_t value) {
  if (value == 0)
    return 0xff;
  for (uint32_t i = 0; i < observed->n_objects && i < 0xfe; i++)
    if (value - (uintptr_t)observed->objects[i].address <= observed->objects[i].size)
      return (unsigned char)i;
  return 0xfe;
}

static int leads_to(uintptr_t value, const struct reference *reference) {
  if (reference->target == ELSEWHERE || reference->target == NOWHERE)
    return (value == 0) == (reference->target == NOWHERE);
  return value == spelunk_target_of(observed, reference);
}

// Pointers are compared by what they lead to, the rest bit by bit as far as it was initialised.
static void compare(uint32_t number, const unsigned char *native) {
  const struct expectation *expected = &observed->expectations[number];
  for (uint32_t at = 0; at < expected->content.len; at++) {
    const struct reference *reference = NULL;
    for (uint32_t k = 0; k < expected->n_references; k++)
      if (expected->references[k].offset == at)
        reference = &expected->references[k];
    if (reference) {
      uintptr_t value;
      memcpy(&value, native + at, sizeof value);
      if (!leads_to(value, reference))
        spelunk_log_value(number, at, place_of(value));
      at += sizeof value - 1;
    } else if ((native[at] ^ expected->content.data[at]) & expected->known.data[at]) {
      spelunk_log_value(number, at, native[at]);
    }
  }
}

void spelunk_compare_result(const void *result, size_t size) {
  for (uint32_t i = 0; observed && i < observed->n_expectations; i++) {
    const struct expectation *expected = &observed->expectations[i];
    if (expected->kind == EXPECT_RESULT && expected->which == n_returned && expected->content.len == size)
      compare(i, result);
  }
  n_returned++;
}

void spelunk_compare_objects(void) {
  for (uint32_t i = 0; i < observed->n_expectations; i++) {
    const struct expectation *expected = &observed->expectations[i];
    const unsigned char *address = expected->kind == EXPECT_RESULT ? NULL : observed->objects[expected->which].address;
    if (expected->kind == EXPECT_CONTENT)
      compare(i, address);
    else if (expected->kind == EXPECT_FREED && __asan_address_is_poisoned && !__asan_address_is_poisoned(address))
      spelunk_log_value(i, 0, 0);
  }
}
