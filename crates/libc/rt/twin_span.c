// Spans of characters in strings whose bytes carry expressions: one branch for each character of the text, however large
// the set is.

#include "rt.h"

static unsigned is_member(const char *set, char c) {
  unsigned found = 0;
  for (; *set; set++) found |= *set == c;
  return found;
}

size_t __twin_strspn(const char *text, const char *set) {
  size_t n = 0;
  while (is_member(set, text[n])) n++;
  return n;
}

size_t __twin_strcspn(const char *text, const char *set) {
  size_t n = 0;
  while (!(is_member(set, text[n]) | (text[n] == '\0'))) n++;
  return n;
}

char *__twin_strpbrk(const char *text, const char *set) {
  for (; !is_member(set, *text); text++) {
    if (!*text) return NULL;
  }
  return (char *)text;
}
