// What _FORTIFY_SOURCE makes of the functions in twin_copy.c.

#include "rt.h"

char *__twin___strcpy_chk(char *to, const char *from, size_t size) {
  __sp_check_fits(strlen(from) + 1, size);
  return strcpy(to, from);
}

char *__twin___stpcpy_chk(char *to, const char *from, size_t size) {
  size_t n = strlen(from);
  __sp_check_fits(n + 1, size);
  memcpy(to, from, n + 1);
  return to + n;
}

char *__twin___strcat_chk(char *to, const char *from, size_t size) {
  __sp_check_fits(strlen(to) + strlen(from) + 1, size);
  return strcat(to, from);
}

char *__twin___strncat_chk(char *to, const char *from, size_t n, size_t size) {
  __sp_check_fits(strlen(to) + strnlen(from, n) + 1, size);
  return strncat(to, from, n);
}

char *__twin___strncpy_chk(char *to, const char *from, size_t n, size_t size) {
  __sp_check_fits(n, size);
  return strncpy(to, from, n);
}
