// Atomic operations on objects of any size, which the compiler calls where it has no instruction. Programs here have
// one thread, so plain copies are atomic.

#include "rt.h"

#include <stdbool.h>

// The compiler knows the public names as builtins with other types, so each function is given its symbol here.
#define NAMED(function, symbol) function __asm__(symbol)

NAMED(void load(size_t size, const void *object, void *result, int order), "__atomic_load");
NAMED(void store(size_t size, void *object, const void *value, int order), "__atomic_store");
NAMED(void exchange(size_t size, void *object, const void *value, void *result, int order), "__atomic_exchange");
NAMED(bool compare_exchange(size_t size, void *object, void *expected, const void *desired, int success, int failure),
      "__atomic_compare_exchange");
NAMED(bool is_lock_free(size_t size, const void *object), "__atomic_is_lock_free");

void load(size_t size, const void *object, void *result, int order) {
  (void)order;
  memcpy(result, object, size);
}

void store(size_t size, void *object, const void *value, int order) {
  (void)order;
  memcpy(object, value, size);
}

void exchange(size_t size, void *object, const void *value, void *result, int order) {
  (void)order;
  memcpy(result, object, size);
  memcpy(object, value, size);
}

bool compare_exchange(size_t size, void *object, void *expected, const void *desired, int success, int failure) {
  (void)success, (void)failure;
  if (memcmp(object, expected, size) == 0) {
    memcpy(object, desired, size);
    return true;
  }
  memcpy(expected, object, size);
  return false;
}

bool is_lock_free(size_t size, const void *object) {
  (void)object;
  return size != 0 && size <= 8 && (size & (size - 1)) == 0;
}
