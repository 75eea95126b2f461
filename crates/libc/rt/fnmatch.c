// Shell patterns: *, ?, bracket expressions with ranges and classes, and backslashes.

#include "rt.h"

#include <ctype.h>
#include <fnmatch.h>
#include <wctype.h>

struct text {
  const char *start;  // of the whole text
  int flags;
};

static int fold(const struct text *text, int c) { return text->flags & FNM_CASEFOLD ? __rt_to_lower(c) : c; }

// A period that only a period in the pattern may match.
static int is_leading_period(const struct text *text, const char *s) {
  if (*s != '.' || !(text->flags & FNM_PERIOD)) return 0;
  return s == text->start || ((text->flags & FNM_PATHNAME) && s[-1] == '/');
}

// [:name:] after the opening bracket: its end, or null when it is none.
static const char *match_class(const char *p, int c, int *matches) {
  const char *end;
  char name[16];
  size_t n;
  if (p[0] != '[' || p[1] != ':') return NULL;
  end = strstr(p + 2, ":]");
  n = end ? (size_t)(end - p) - 2 : sizeof name;
  if (n >= sizeof name) return NULL;
  memcpy(name, p + 2, n);
  name[n] = '\0';
  *matches |= iswctype((wint_t)c, wctype(name)) != 0;
  return end + 2;
}

static int unescaped(const struct text *text, const char **p) {
  if (**p == '\\' && !(text->flags & FNM_NOESCAPE) && (*p)[1] != '\0') (*p)++;
  return (unsigned char)*(*p)++;
}

// A bracket expression after its bracket: the end, or null when it is not closed.
static const char *match_bracket(const struct text *text, const char *p, int c, int *matches) {
  int negated = *p == '!' || *p == '^';
  const char *first = negated ? ++p : p;
  *matches = 0;
  while (*p != ']' || p == first) {
    const char *class_end = match_class(p, c, matches);
    int low, high;
    if (class_end) {
      p = class_end;
      continue;
    }
    if (*p == '\0' || (*p == '/' && (text->flags & FNM_PATHNAME))) return NULL;
    low = high = unescaped(text, &p);
    if (p[0] == '-' && p[1] != ']' && p[1] != '\0') {
      p++;
      high = unescaped(text, &p);
    }
    if (fold(text, c) >= fold(text, low) && fold(text, c) <= fold(text, high)) *matches = 1;
  }
  *matches = *matches != negated;
  return p + 1;
}

static int match(const struct text *text, const char *p, const char *s);

static int match_star(const struct text *text, const char *p, const char *s) {
  while (*p == '*') p++;
  if (is_leading_period(text, s)) return 0;
  for (;; s++) {
    if (match(text, p, s)) return 1;
    if (*s == '\0' || (*s == '/' && (text->flags & FNM_PATHNAME))) return 0;
  }
}

// Whether one character of the text matches; moves the pattern behind what matched it.
static int match_one(const struct text *text, const char **p, const char *s) {
  int c = (unsigned char)*s;
  int special = is_leading_period(text, s) || (c == '/' && (text->flags & FNM_PATHNAME));
  if (**p == '?' || **p == '[') {
    int matches = 1;
    const char *end = **p == '?' ? *p + 1 : match_bracket(text, *p + 1, c, &matches);
    if (end) {
      *p = end;
      return matches && !special;
    }
  }
  // A backslash that escapes nothing matches nothing.
  if ((*p)[0] == '\\' && (*p)[1] == '\0' && !(text->flags & FNM_NOESCAPE)) return 0;
  return fold(text, unescaped(text, p)) == fold(text, c);
}

static int match(const struct text *text, const char *p, const char *s) {
  for (;; s++) {
    if (*p == '*') return match_star(text, p, s);
    if (*p == '\0') return *s == '\0' || (*s == '/' && (text->flags & FNM_LEADING_DIR));
    if (*s == '\0' || !match_one(text, &p, s)) return 0;
  }
}

int fnmatch(const char *pattern, const char *string, int flags) {
  struct text text = {string, flags};
  return match(&text, pattern, string) ? 0 : FNM_NOMATCH;
}
