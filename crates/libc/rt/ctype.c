// <ctype.h> of the C locale: glibc's tables, which compiled programs index directly, and the functions over them.

#include "rt.h"

#include <ctype.h>

// Tables are indexed from -128 (a negative char) to 255; entry 0 stands at ORIGIN.
enum { ORIGIN = 128, N_ENTRIES = 384 };

#define AT(c) ORIGIN + (c)
#define FROM_TO(first, last) AT(first)... AT(last)

enum {
  GRAPHIC = _ISprint | _ISgraph,
  PUNCTUATION = GRAPHIC | _ISpunct,
  DIGIT = GRAPHIC | _ISalnum | _ISdigit | _ISxdigit,
  UPPER = GRAPHIC | _ISalnum | _ISalpha | _ISupper,
  LOWER = GRAPHIC | _ISalnum | _ISalpha | _ISlower,
};

static const unsigned short classes[N_ENTRIES] = {
    [FROM_TO(0, 8)] = _IScntrl,
    [AT('\t')] = _IScntrl | _ISspace | _ISblank,
    [FROM_TO('\n', '\r')] = _IScntrl | _ISspace,
    [FROM_TO(14, 31)] = _IScntrl,
    [AT(' ')] = _ISprint | _ISspace | _ISblank,
    [FROM_TO('!', '/')] = PUNCTUATION,
    [FROM_TO('0', '9')] = DIGIT,
    [FROM_TO(':', '@')] = PUNCTUATION,
    [FROM_TO('A', 'F')] = UPPER | _ISxdigit,
    [FROM_TO('G', 'Z')] = UPPER,
    [FROM_TO('[', '`')] = PUNCTUATION,
    [FROM_TO('a', 'f')] = LOWER | _ISxdigit,
    [FROM_TO('g', 'z')] = LOWER,
    [FROM_TO('{', '~')] = PUNCTUATION,
    [AT(127)] = _IScntrl,
};

#define RUN2(n) (n), (n) + 1
#define RUN4(n) RUN2(n), RUN2((n) + 2)
#define RUN8(n) RUN4(n), RUN4((n) + 4)
#define RUN16(n) RUN8(n), RUN8((n) + 8)
#define RUN32(n) RUN16(n), RUN16((n) + 16)
#define RUN64(n) RUN32(n), RUN32((n) + 32)
#define RUN26(n) RUN16(n), RUN8((n) + 16), RUN2((n) + 24)

// 0 to 255 with the letters replaced by runs that start at the given characters.
#define CASE_TABLE(upper_becomes, lower_becomes) \
  RUN64(0), 64, RUN26(upper_becomes), RUN4(91), RUN2(95), RUN26(lower_becomes), RUN4(123), 127, RUN64(128), RUN64(192)
// A negative char maps to itself as an unsigned one, except that -1 is EOF.
#define NEGATIVE_CHARS RUN64(128), RUN32(192), RUN16(224), RUN8(240), RUN4(248), RUN2(252), 254, -1

static const int to_lower[N_ENTRIES] = {NEGATIVE_CHARS, CASE_TABLE('a', 'a')};
static const int to_upper[N_ENTRIES] = {NEGATIVE_CHARS, CASE_TABLE('A', 'A')};

const unsigned short **__ctype_b_loc(void) {
  static const unsigned short *table = classes + ORIGIN;
  return &table;
}

const int **__ctype_tolower_loc(void) {
  static const int *table = to_lower + ORIGIN;
  return &table;
}

const int **__ctype_toupper_loc(void) {
  static const int *table = to_upper + ORIGIN;
  return &table;
}

size_t __ctype_get_mb_cur_max(void) { return 1; }

#define CLASS_FUNCTION(name, class)               \
  int name(int c) { return classes[AT(c)] & class; } \
  int name##_l(int c, locale_t locale) {          \
    (void)locale;                                 \
    return name(c);                               \
  }

CLASS_FUNCTION(isalnum, _ISalnum)
CLASS_FUNCTION(isalpha, _ISalpha)
CLASS_FUNCTION(isblank, _ISblank)
CLASS_FUNCTION(iscntrl, _IScntrl)
CLASS_FUNCTION(isdigit, _ISdigit)
CLASS_FUNCTION(isgraph, _ISgraph)
CLASS_FUNCTION(islower, _ISlower)
CLASS_FUNCTION(isprint, _ISprint)
CLASS_FUNCTION(ispunct, _ISpunct)
CLASS_FUNCTION(isspace, _ISspace)
CLASS_FUNCTION(isupper, _ISupper)
CLASS_FUNCTION(isxdigit, _ISxdigit)

int isctype(int c, int mask) { return classes[AT(c)] & mask; }
int isascii(int c) { return (c & ~0x7f) == 0; }
int toascii(int c) { return c & 0x7f; }

// Unlike the classes, the case functions are defined for any int. They compare instead of using the tables, and without a
// branch, which is easier to reason about when `c` carries an expression.
static int change_case(int c, int first, int by) {
  unsigned is_negative_char = (unsigned)c + 128 < 127;
  unsigned is_letter = (unsigned)c - (unsigned)first < 26;
  return (int)((unsigned)c + (is_negative_char << 8) + is_letter * (unsigned)by);
}

int tolower(int c) { return change_case(c, 'A', 'a' - 'A'); }
int toupper(int c) { return change_case(c, 'a', 'A' - 'a'); }
int _tolower(int c) { return tolower(c); }
int _toupper(int c) { return toupper(c); }

#undef tolower_l
#undef toupper_l

int tolower_l(int c, locale_t locale) {
  (void)locale;
  return tolower(c);
}

int toupper_l(int c, locale_t locale) {
  (void)locale;
  return toupper(c);
}

RT_ALIAS(__tolower_l, tolower_l);
RT_ALIAS(__toupper_l, toupper_l);
