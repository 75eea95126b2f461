// Copies of strings whose bytes carry expressions: where the string ends is found byte by byte, then the bytes move with
// what they carry.

#include "rt.h"

char *__twin_stpcpy(char *restrict to, const char *restrict from) {
  size_t n = strlen(from);
  memcpy(to, from, n + 1);
  return to + n;
}

char *__twin_strcpy(char *restrict to, const char *restrict from) {
  memcpy(to, from, strlen(from) + 1);
  return to;
}

char *__twin_stpncpy(char *restrict to, const char *restrict from, size_t n) {
  size_t length = strnlen(from, n);
  memcpy(to, from, length);
  memset(to + length, 0, n - length);
  return to + length;
}

char *__twin_strncpy(char *restrict to, const char *restrict from, size_t n) {
  __twin_stpncpy(to, from, n);
  return to;
}

// A fill, and no store, since it leaves the size of the target open if that is.
static void append(char *to, const char *from, size_t n) {
  memcpy(to, from, n);
  memset(to + n, 0, 1);
}

char *__twin_strcat(char *restrict to, const char *restrict from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *__twin_strncat(char *restrict to, const char *restrict from, size_t n) {
  append(to + strlen(to), from, strnlen(from, n));
  return to;
}

size_t __twin_strlcpy(char *to, const char *from, size_t size) {
  size_t n = strlen(from);
  if (size > 0) append(to, from, n < size ? n : size - 1);
  return n;
}

size_t __twin_strlcat(char *to, const char *from, size_t size) {
  size_t before = strnlen(to, size);
  size_t n = strlen(from);
  size_t room = size - before;
  if (room > 0) append(to + before, from, n < room ? n : room - 1);
  return before + n;
}

static char *duplicate(const char *from, size_t n) {
  char *copy = malloc(n + 1);
  if (copy) append(copy, from, n);
  return copy;
}

char *__twin_strdup(const char *text) { return duplicate(text, strlen(text)); }
char *__twin_strndup(const char *text, size_t max) { return duplicate(text, strnlen(text, max)); }

size_t __twin_strxfrm(char *restrict to, const char *restrict from, size_t size) {
  size_t n = strlen(from);
  memcpy(to, from, size < n + 1 ? size : n + 1);
  return n;
}

void __twin_swab(const void *restrict from, void *restrict to, ssize_t n) {
  const char *source = from;
  char *target = to;
  for (; n > 1; n -= 2, source += 2, target += 2) {
    char first = source[0];
    target[0] = source[1];
    target[1] = first;
  }
}
