// A backtracking matcher of regular expressions; the pattern is symbolic, the text is fixed.
#include <klee/klee.h>

#define LENGTH 7

static int match_here(const char *pattern, const char *text);

// Zero or more of `what`, then the rest of the pattern.
static int match_star(int what, const char *pattern, const char *text) {
  do {
    if (match_here(pattern, text))
      return 1;
  } while (*text != '\0' && (*text++ == what || what == '.'));
  return 0;
}

static int match_here(const char *pattern, const char *text) {
  if (pattern[0] == '\0')
    return 1;
  if (pattern[1] == '*')
    return match_star(pattern[0], pattern + 2, text);
  if (pattern[0] == '$' && pattern[1] == '\0')
    return *text == '\0';
  if (*text != '\0' && (pattern[0] == '.' || pattern[0] == *text))
    return match_here(pattern + 1, text + 1);
  return 0;
}

static int match(const char *pattern, const char *text) {
  if (pattern[0] == '^')
    return match_here(pattern + 1, text);
  do {
    if (match_here(pattern, text))
      return 1;
  } while (*text++ != '\0');
  return 0;
}

int main(void) {
  char pattern[LENGTH + 1];
  klee_make_symbolic(pattern, sizeof pattern, "pattern");
  klee_assume(pattern[LENGTH] == '\0');
  return match(pattern, "hello");
}
