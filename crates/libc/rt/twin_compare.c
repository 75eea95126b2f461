// Comparisons of bytes that carry expressions.

#include "rt.h"

typedef unsigned char byte;

// Whether two bytes that are equal end their strings. Both are asked, so that nothing is left to decide if one is known; the
// compiler must not see that one would do.
static inline int both_end(byte a, byte b) {
  __asm__("" : "+r"(b));
  return (a | b) == 0;
}

// Without a branch.
static inline byte fold(byte c) { return (byte)(c + (((unsigned)c - 'A' < 26u) << 5)); }

int __twin_memcmp(const void *a, const void *b, size_t n) {
  const byte *x = a, *y = b;
  for (; n > 0; n--, x++, y++) {
    if (*x != *y) return *x - *y;
  }
  return 0;
}

int __twin_strcmp(const char *a, const char *b) {
  const byte *x = (const byte *)a, *y = (const byte *)b;
  for (; *x == *y; x++, y++) {
    if (both_end(*x, *y)) return 0;
  }
  return *x - *y;
}

int __twin_strncmp(const char *a, const char *b, size_t n) {
  const byte *x = (const byte *)a, *y = (const byte *)b;
  for (; n > 0; n--, x++, y++) {
    if (*x != *y) return *x - *y;
    if (both_end(*x, *y)) return 0;
  }
  return 0;
}

int __twin_strcasecmp(const char *a, const char *b) {
  const byte *x = (const byte *)a, *y = (const byte *)b;
  for (; fold(*x) == fold(*y); x++, y++) {
    if (both_end(*x, *y)) return 0;
  }
  return fold(*x) - fold(*y);
}

int __twin_strncasecmp(const char *a, const char *b, size_t n) {
  const byte *x = (const byte *)a, *y = (const byte *)b;
  for (; n > 0; n--, x++, y++) {
    if (fold(*x) != fold(*y)) return fold(*x) - fold(*y);
    if (both_end(*x, *y)) return 0;
  }
  return 0;
}
