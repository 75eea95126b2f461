// Real numbers from text: the lexer that strtod, wcstod and scanf share, the errors of a value, and the narrow
// functions. The rounding itself is the VM's. The payload of nan(…) is accepted and ignored.

#include "rt.h"

#include <float.h>
#include <math.h>

// ---- Lexer

static int is_digit_of(const struct float_lexer *lexer, int c) {
  return __rt_digit_value(c) < (lexer->hex ? 16u : 10u);
}

static int accept(struct float_lexer *lexer, enum float_state next, int makes_valid) {
  lexer->state = next;
  lexer->seen++;
  if (makes_valid) lexer->valid = lexer->seen;
  return 1;
}

static int accept_letter(struct float_lexer *lexer, enum float_state word, int c) {
  const char *letters = word == RT_FLOAT_NAN ? "nan" : "infinity";
  int position = lexer->word_position;
  if (letters[position] == '\0' || __rt_to_lower(c) != letters[position]) return 0;
  lexer->word_position = ++position;
  return accept(lexer, word, position == 3 || position == 8);
}

// At a place where the mantissa may begin.
static int accept_first(struct float_lexer *lexer, int c) {
  if (__rt_is_digit(c)) {
    lexer->any_digit = 1;
    return accept(lexer, c == '0' ? RT_FLOAT_ZERO : RT_FLOAT_INTEGER, 1);
  }
  if (c == '.') return accept(lexer, RT_FLOAT_FRACTION, 0);
  return accept_letter(lexer, RT_FLOAT_INFINITY, c) || accept_letter(lexer, RT_FLOAT_NAN, c);
}

// Inside the mantissa.
static int accept_more(struct float_lexer *lexer, int c) {
  if (is_digit_of(lexer, c)) {
    lexer->any_digit = 1;
    return accept(lexer, lexer->state == RT_FLOAT_ZERO ? RT_FLOAT_INTEGER : lexer->state, 1);
  }
  if (c == '.' && lexer->state != RT_FLOAT_FRACTION) return accept(lexer, RT_FLOAT_FRACTION, lexer->any_digit);
  if (__rt_to_lower(c) == (lexer->hex ? 'p' : 'e') && lexer->any_digit) return accept(lexer, RT_FLOAT_EXPONENT, 0);
  return 0;
}

int __rt_float_accepts(struct float_lexer *lexer, int c) {
  switch (lexer->state) {
    case RT_FLOAT_START:
      if (c == '-' || c == '+') {
        lexer->negative = c == '-';
        return accept(lexer, RT_FLOAT_SIGNED, 0);
      }
      return accept_first(lexer, c);
    case RT_FLOAT_SIGNED:
      return accept_first(lexer, c);
    case RT_FLOAT_ZERO:
      if (__rt_to_lower(c) == 'x') {
        lexer->hex = 1;
        lexer->any_digit = 0;
        return accept(lexer, RT_FLOAT_INTEGER, 0);
      }
      return accept_more(lexer, c);
    case RT_FLOAT_INTEGER:
    case RT_FLOAT_FRACTION:
      return accept_more(lexer, c);
    case RT_FLOAT_EXPONENT:
      if (c == '-' || c == '+') return accept(lexer, RT_FLOAT_EXPONENT_SIGN, 0);
      return __rt_is_digit(c) && accept(lexer, RT_FLOAT_EXPONENT_DIGITS, 1);
    case RT_FLOAT_EXPONENT_SIGN:
    case RT_FLOAT_EXPONENT_DIGITS:
      return __rt_is_digit(c) && accept(lexer, RT_FLOAT_EXPONENT_DIGITS, 1);
    default:
      return accept_letter(lexer, lexer->state, c);
  }
}

// ---- Value

struct limits {
  long double least_normal;
  int least_exponent;  // of the smallest subnormal number, as a power of two
};

static const struct limits limits[] = {
    [RT_FLOAT] = {FLT_MIN, FLT_MIN_EXP - FLT_MANT_DIG},
    [RT_DOUBLE] = {DBL_MIN, DBL_MIN_EXP - DBL_MANT_DIG},
    [RT_LONG_DOUBLE] = {LDBL_MIN, LDBL_MIN_EXP - LDBL_MANT_DIG},
};

// The exponent that a hexadecimal text ends in, saturated far outside every format's range.
static int hex_exponent(const char *text, size_t n) {
  const char *letter = memchr(text, 'p', n);
  size_t i;
  int value = 0, negative;
  if (!letter) letter = memchr(text, 'P', n);
  if (!letter) return 0;
  i = (size_t)(letter - text) + 1;
  negative = text[i] == '-';
  if (text[i] == '-' || text[i] == '+') i++;
  for (; i < n; i++) {
    if (value < 1000000) value = value * 10 + (text[i] - '0');
  }
  return negative ? -value : value;
}

// Whether the lowest bit set in a hexadecimal text is representable.
static int is_exact_hex(const char *text, size_t n, int least_exponent) {
  int fraction_digits = 0, after_last = 0, in_fraction = 0;
  unsigned last = 0;
  for (size_t i = 2; i < n && __rt_to_lower(text[i]) != 'p'; i++) {
    if (text[i] == '.') {
      in_fraction = 1;
      continue;
    }
    fraction_digits += in_fraction;
    after_last++;
    if (text[i] != '0') {
      last = __rt_digit_value(text[i]);
      after_last = 0;
    }
  }
  if (last == 0) return 1;
  return hex_exponent(text, n) - 4 * fraction_digits + 4 * after_last + __builtin_ctz(last) >= least_exponent;
}

static int is_zero_text(const char *text, size_t n, int exponent_letter) {
  for (size_t i = 0; i < n && __rt_to_lower(text[i]) != exponent_letter; i++) {
    if (text[i] >= '1' && text[i] <= '9') return 0;
  }
  return 1;
}

// Whether a value below the normal numbers lost something. A decimal subnormal needs a hundred digits or more to be
// exact, so one that is not zero counts as rounded.
static int underflowed(const struct float_lexer *lexer, const char *text, size_t n, enum float_kind kind) {
  if (lexer->hex) return !is_exact_hex(text, n, limits[kind].least_exponent);
  return !is_zero_text(text, n, 'e');
}

static long double parse_magnitude(const char *text, size_t n, enum float_kind kind) {
  switch (kind) {
    case RT_FLOAT: return __sp_parse_float(text, n);
    case RT_DOUBLE: return __sp_parse_double(text, n);
    default: return __sp_parse_long_double(text, n);
  }
}

long double __rt_float_value(const struct float_lexer *lexer, const char *text, enum float_kind kind) {
  size_t sign = *text == '-' || *text == '+';
  size_t n = lexer->valid - sign;
  long double value;
  text += sign;
  if (lexer->state == RT_FLOAT_NAN) {
    value = __builtin_nanl("");
  } else if (lexer->state == RT_FLOAT_INFINITY) {
    value = __builtin_infl();
  } else {
    value = parse_magnitude(text, n, kind);
    if (value == __builtin_infl() || (value < limits[kind].least_normal && underflowed(lexer, text, n, kind))) {
      errno = ERANGE;
    }
  }
  return lexer->negative ? -value : value;
}

// ---- The strto* functions

// Length of a "(characters)" after nan, or 0.
static size_t payload_length(const char *text) {
  size_t i = 1;
  if (text[0] != '(') return 0;
  while (__rt_digit_value((unsigned char)text[i]) < 36 || text[i] == '_') i++;
  return text[i] == ')' ? i + 1 : 0;
}

static long double parse(const char *text, char **end, enum float_kind kind) {
  struct float_lexer lexer = {.state = RT_FLOAT_START};
  const char *start = text;
  size_t length;
  while (__rt_is_space((unsigned char)*start)) start++;
  while (__rt_float_accepts(&lexer, (unsigned char)start[lexer.seen])) continue;
  length = lexer.valid;
  if (length > 0 && lexer.state == RT_FLOAT_NAN) length += payload_length(start + length);
  if (end) *end = (char *)(length > 0 ? start + length : text);
  return length > 0 ? __rt_float_value(&lexer, start, kind) : 0;
}

#define PARSE_FUNCTION(name, type, kind)                                        \
  type name(const char *text, char **end) { return (type)parse(text, end, kind); } \
  type name##_l(const char *text, char **end, locale_t locale) {                \
    (void)locale;                                                               \
    return (type)parse(text, end, kind);                                        \
  }                                                                             \
  type __##name##_internal(const char *text, char **end, int group) {           \
    (void)group;                                                                \
    return (type)parse(text, end, kind);                                        \
  }

PARSE_FUNCTION(strtof, float, RT_FLOAT)
PARSE_FUNCTION(strtod, double, RT_DOUBLE)
PARSE_FUNCTION(strtold, long double, RT_LONG_DOUBLE)

RT_ALIAS(strtof32, strtof);
RT_ALIAS(strtof64, strtod);
RT_ALIAS(strtof32x, strtod);
RT_ALIAS(strtof64x, strtold);

double atof(const char *text) { return (double)parse(text, NULL, RT_DOUBLE); }
