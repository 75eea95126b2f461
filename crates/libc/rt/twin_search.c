// Searches for a byte that carries an expression, or among such bytes.

#include "rt.h"

void *__twin_memchr(const void *area, int c, size_t n) {
  const unsigned char *p = area;
  for (; n > 0; n--, p++) {
    if (*p == (unsigned char)c) return (void *)p;
  }
  return NULL;
}

void *__twin_rawmemchr(const void *area, int c) {
  const unsigned char *p = area;
  while (*p != (unsigned char)c) p++;
  return (void *)p;
}

void *__twin_memrchr(const void *area, int c, size_t n) {
  const unsigned char *p = area;
  while (n > 0) {
    if (p[--n] == (unsigned char)c) return (void *)(p + n);
  }
  return NULL;
}

char *__twin_strchr(const char *text, int c) {
  const unsigned char *p = (const unsigned char *)text;
  for (; *p != (unsigned char)c; p++) {
    if (!*p) return NULL;
  }
  return (char *)p;
}

char *__twin_strchrnul(const char *text, int c) {
  const unsigned char *p = (const unsigned char *)text;
  while (*p && *p != (unsigned char)c) p++;
  return (char *)p;
}

// From one to the next: whether there is another is one question, however far it is.
char *__twin_strrchr(const char *text, int c) {
  char *last = NULL, *next;
  if (!(char)c) return (char *)text + strlen(text);
  while ((next = strchr(text, c))) {
    last = next;
    text = next + 1;
  }
  return last;
}

void *__twin_memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
  const char *last = memchr(from, c, n);
  size_t length = last ? (size_t)(last + 1 - (const char *)from) : n;
  memcpy(to, from, length);
  return last ? (char *)to + length : NULL;
}
