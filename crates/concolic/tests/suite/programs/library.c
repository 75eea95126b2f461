/* Library functions on three symbolic bytes. Each case gives a number that says all about what the function did; the
   program's argument says which case is run. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static char x[4];
static char to[16];

/* Where a pointer points, counted from the start of an area, and 99 for null. */
static int place(const void *p, const void *start) { return p ? (int)((const char *)p - (const char *)start) : 99; }

/* A number that tells texts apart. */
static int digest(const char *text, size_t n) {
  unsigned sum = (unsigned)n;
  for (size_t i = 0; i < n; i++) sum = sum * 31 + (unsigned char)text[i];
  return (int)(sum % 251);
}

static int sign(int order) { return order < 0 ? 1 : order > 0 ? 2 : 0; }

static int copied(const char *result) { return digest(to, sizeof to) + (result != to); }

static void prepare(void) {
  memset(to, '.', sizeof to);
  strcpy(to, "a:");
}

#define CASES(CASE)                                                     \
  CASE(strlen, return (int)strlen(x))                                   \
  CASE(strnlen, return (int)strnlen(x, 2))                              \
  CASE(strcmp, return sign(strcmp(x, "ab")))                            \
  CASE(strcmp_other, return sign(strcmp("ab", x)))                      \
  CASE(strcmp_difference, return strcmp(x, "b") & 255)                  \
  CASE(strncmp, return sign(strncmp(x, "abX", 2)))                      \
  CASE(strcoll, return sign(strcoll(x, "a:")))                          \
  CASE(strcasecmp, return sign(strcasecmp(x, "Ab")))                    \
  CASE(strncasecmp, return sign(strncasecmp(x, "aBc", 2)))              \
  CASE(memcmp, return sign(memcmp(x, "aba", 3)))                        \
  CASE(bcmp, return bcmp(x, "ab", 2) != 0)                              \
  CASE(memchr, return place(memchr(x, 'b', 3), x))                      \
  CASE(memchr_symbolic, return place(memchr("b:a", x[0], 3), x) == 99)  \
  CASE(memrchr, return place(memrchr(x, 'b', 3), x))                    \
  CASE(rawmemchr, return place(rawmemchr(x, '\0'), x))                  \
  CASE(strchr, return place(strchr(x, ':'), x))                         \
  CASE(strchr_symbolic, return strchr("a:", x[1]) != NULL)              \
  CASE(strchrnul, return place(strchrnul(x, 'b'), x))                   \
  CASE(index, return place(index(x, 'a'), x))                           \
  CASE(strrchr, return place(strrchr(x, 'a'), x))                       \
  CASE(strstr, return place(strstr(x, "ab"), x))                        \
  CASE(strstr_needle, return strstr("b:ab", x) != NULL)                 \
  CASE(strcasestr, return place(strcasestr(x, "aB"), x))                \
  CASE(memmem, return place(memmem(x, 3, "b", 1), x))                   \
  CASE(strspn, return (int)strspn(x, "ab"))                             \
  CASE(strcspn, return (int)strcspn(x, ":b"))                           \
  CASE(strcspn_set, return (int)strcspn("A:ab", x))                     \
  CASE(strpbrk, return place(strpbrk(x, ":b"), x))                      \
  CASE(strcpy, return copied(strcpy(to, x)))                            \
  CASE(stpcpy, return place(stpcpy(to, x), to) + copied(to))            \
  CASE(strncpy, return copied(strncpy(to, x, 6)))                       \
  CASE(stpncpy, return place(stpncpy(to, x, 2), to) + copied(to))       \
  CASE(strcat, return copied(strcat(to, x)))                            \
  CASE(strncat, return copied(strncat(to, x, 2)))                       \
  CASE(memcpy, return copied(memcpy(to + 2, x, 3)))                     \
  CASE(memmove, memcpy(to, x, 3); return copied(memmove(to + 1, to, 3))) \
  CASE(memset, return copied(memset(to, x[0], 3)))                      \
  CASE(memccpy, return place(memccpy(to, x, 'b', 3), to) + copied(to))  \
  CASE(swab, swab(x, to, 2); return copied(to))                         \
  CASE(strxfrm, return (int)strxfrm(to, x, 2) + copied(to))             \
  CASE(strdup, char *s = strdup(x); int n = digest(s, strlen(s) + 1); free(s); return n)      \
  CASE(strndup, char *s = strndup(x, 2); int n = digest(s, strlen(s) + 1); free(s); return n) \
  CASE(strtok, strtok(x, ":"); return place(strtok(NULL, ":"), x))      \
  CASE(strsep, char *rest = x; strsep(&rest, ":"); return place(rest, x))                     \
  CASE(checked_strcpy, return copied(__builtin___strcpy_chk(to, x, sizeof to)))               \
  CASE(checked_strcat, return copied(__builtin___strcat_chk(to, x, sizeof to)))               \
  CASE(tolower, return tolower(x[0]) & 255)                             \
  CASE(toupper, return toupper((unsigned char)x[0]))                    \
  CASE(isalpha, return !!isalpha((unsigned char)x[0]) + 2 * !!ispunct((unsigned char)x[1]))   \
  CASE(abs, return abs(x[0] - 'a'))                                     \
  CASE(ffs, return ffs(x[0]))                                           \
  CASE(div, return div(x[0], 7).rem)                                    \
  CASE(sprintf_text, return snprintf(to, sizeof to, "<%s%c>", x, x[0]) + copied(to))          \
  CASE(qsort, qsort(x, 3, 1, by_byte); return digest(x, 3))             \
  CASE(bsearch, return place(bsearch(x, "Aab", 3, 1, by_byte), x) == 99)

static int by_byte(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }

#define FUNCTION(name, body) static int case_##name(void) { body; }
CASES(FUNCTION)

#define ENTRY(name, body) {#name, case_##name},
static const struct {
  const char *name;
  int (*run)(void);
} cases[] = {CASES(ENTRY)};

int main(int argc, char **argv) {
  (void)argc;
  klee_make_symbolic(x, sizeof x, "x");
  x[3] = '\0';
  prepare();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(cases[i].name, argv[1]) == 0) return cases[i].run() & 127;
  }
  abort();
}
