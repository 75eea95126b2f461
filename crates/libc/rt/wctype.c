// Classes and case of wide characters: those of ASCII, and none beyond.

#include "rt.h"

#include <ctype.h>
#include <wctype.h>

static int has_class(wint_t c, int mask) { return c < 0x80 && ((*__ctype_b_loc())[c] & mask) != 0; }

// Steps to add a class: one line here, which gives it its function and its name for wctype.
#define CLASSES(X)       \
  X(alnum, _ISalnum)     \
  X(alpha, _ISalpha)     \
  X(blank, _ISblank)     \
  X(cntrl, _IScntrl)     \
  X(digit, _ISdigit)     \
  X(graph, _ISgraph)     \
  X(lower, _ISlower)     \
  X(print, _ISprint)     \
  X(punct, _ISpunct)     \
  X(space, _ISspace)     \
  X(upper, _ISupper)     \
  X(xdigit, _ISxdigit)

#define CLASS_FUNCTION(name, mask)                    \
  int isw##name(wint_t c) { return has_class(c, mask); } \
  int isw##name##_l(wint_t c, locale_t locale) {      \
    (void)locale;                                     \
    return has_class(c, mask);                        \
  }

CLASSES(CLASS_FUNCTION)

#define CLASS_ROW(name, mask) {#name, mask},

static const struct {
  char name[8];
  int mask;
} classes[] = {CLASSES(CLASS_ROW)};

wctype_t wctype(const char *name) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    if (strcmp(name, classes[i].name) == 0) return (wctype_t)classes[i].mask;
  }
  return 0;
}

int iswctype(wint_t c, wctype_t class) { return has_class(c, (int)class); }

wint_t towlower(wint_t c) { return c < 0x80 ? (wint_t)__rt_to_lower((int)c) : c; }
wint_t towupper(wint_t c) { return c < 0x80 ? (wint_t)__rt_to_upper((int)c) : c; }

wint_t towlower_l(wint_t c, locale_t locale) {
  (void)locale;
  return towlower(c);
}

wint_t towupper_l(wint_t c, locale_t locale) {
  (void)locale;
  return towupper(c);
}

static const int lower_mapping = 1, upper_mapping = 2;

wctrans_t wctrans(const char *name) {
  if (strcmp(name, "tolower") == 0) return &lower_mapping;
  return strcmp(name, "toupper") == 0 ? &upper_mapping : NULL;
}

wint_t towctrans(wint_t c, wctrans_t mapping) {
  return mapping == &lower_mapping ? towlower(c) : mapping == &upper_mapping ? towupper(c) : c;
}
