// Searches for a text in bytes that carry expressions.

#include "rt.h"

// Without a branch.
static inline char fold(char c) { return (char)(c + (((unsigned)(unsigned char)c - 'A' < 26u) << 5)); }

static inline char same(char c) { return c; }

#define FIND_TEXT(name, map)                                             \
  char *name(const char *text, const char *wanted) {                     \
    /* It is a string also where nothing is wanted. */                   \
    (void)*(const volatile char *)text;                                  \
    for (;; text++) {                                                    \
      size_t i = 0;                                                      \
      while (wanted[i] && map(text[i]) == map(wanted[i])) i++;           \
      if (!wanted[i]) return (char *)text;                               \
      if (!text[i]) return NULL;                                         \
    }                                                                    \
  }

FIND_TEXT(__twin_strstr, same)
FIND_TEXT(__twin_strcasestr, fold)

void *__twin_memmem(const void *area, size_t n, const void *wanted, size_t n_wanted) {
  const char *p = area;
  for (; n >= n_wanted; n--, p++) {
    if (memcmp(p, wanted, n_wanted) == 0) return (void *)p;
  }
  return NULL;
}
