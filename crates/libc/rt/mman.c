// Anonymous memory mappings, which are heap memory here. Files cannot be mapped.

#include "rt.h"

#include <sys/mman.h>

enum { PAGE_SIZE = 4096 };

struct mapping {
  void *start;
  size_t length;
  struct mapping *next;
};

static struct mapping *mappings;

void *mmap(void *hint, size_t length, int protection, int flags, int fd, off_t offset) {
  struct mapping *mapping;
  size_t whole = (length + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
  (void)hint;
  (void)protection;
  (void)fd;
  (void)offset;
  errno = length == 0 ? EINVAL : !(flags & MAP_ANONYMOUS) ? ENODEV : flags & MAP_FIXED ? ENOMEM : 0;
  if (errno) return MAP_FAILED;
  mapping = malloc(sizeof *mapping);
  if (!mapping) return MAP_FAILED;
  mapping->start = aligned_alloc(PAGE_SIZE, whole);
  if (!mapping->start) {
    free(mapping);
    errno = ENOMEM;
    return MAP_FAILED;
  }
  memset(mapping->start, 0, whole);
  mapping->length = whole;
  mapping->next = mappings;
  mappings = mapping;
  return mapping->start;
}

RT_ALIAS(mmap64, mmap);

// Frees a mapping that is given back whole; a part of one stays.
int munmap(void *start, size_t length) {
  for (struct mapping **link = &mappings; *link; link = &(*link)->next) {
    struct mapping *mapping = *link;
    if (mapping->start != start || length + PAGE_SIZE <= mapping->length) continue;
    *link = mapping->next;
    free(mapping->start);
    free(mapping);
    break;
  }
  return 0;
}

int mprotect(void *start, size_t length, int protection) {
  (void)start;
  (void)length;
  (void)protection;
  return 0;
}

int madvise(void *start, size_t length, int advice) {
  (void)start;
  (void)length;
  (void)advice;
  return 0;
}

int msync(void *start, size_t length, int flags) {
  (void)start;
  (void)length;
  (void)flags;
  return 0;
}

int mlock(const void *start, size_t length) {
  (void)start;
  (void)length;
  return 0;
}

int munlock(const void *start, size_t length) {
  (void)start;
  (void)length;
  return 0;
}
