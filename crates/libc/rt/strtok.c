// Functions that cut a string into tokens.

#include "rt.h"

static char *cut(char *text, const char *delimiters, char **rest) {
  char *end;
  if (!text) text = *rest;
  text += strspn(text, delimiters);
  end = text + strcspn(text, delimiters);
  if (end == text) {
    *rest = end;
    return NULL;
  }
  *rest = end;
  if (*end) {
    *end = '\0';
    *rest = end + 1;
  }
  return text;
}

char *strtok_r(char *restrict text, const char *restrict delimiters, char **restrict rest) {
  return cut(text, delimiters, rest);
}

RT_ALIAS(__strtok_r, strtok_r);

char *strtok(char *restrict text, const char *restrict delimiters) {
  static char *rest;
  return cut(text, delimiters, &rest);
}

char *strsep(char **restrict text, const char *restrict delimiters) {
  char *token = *text, *end;
  if (!token) return NULL;
  end = token + strcspn(token, delimiters);
  *text = NULL;
  if (*end) {
    *end = '\0';
    *text = end + 1;
  }
  return token;
}
