// Lengths of strings whose bytes carry expressions. As in all files of twins, a function here does what the one that the
// VM implements itself does, in code whose branches can be followed.

#include "rt.h"

size_t __twin_strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return (size_t)(end - text);
}

size_t __twin_strnlen(const char *text, size_t max) {
  size_t n = 0;
  while (n < max && text[n]) n++;
  return n;
}
