// Numbers from wide text, through the parsers of strtol.c and strtod.c.

#include "rt.h"

#include <inttypes.h>

static struct parsed_integer parse(const wchar_t *text, wchar_t **end, int base, enum integer_syntax syntax) {
  struct parsed_integer number = {0};
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return number;
  }
  number = __rt_parse_integer(NULL, text, base, syntax);
  if (end) *end = (wchar_t *)text + number.length;
  return number;
}

// Private names, since the header redirects the public ones in C2X.
long __rt_wcstol(const wchar_t *text, wchar_t **end, int base) {
  return __rt_signed_result(parse(text, end, base, RT_C99_INTEGER));
}

unsigned long __rt_wcstoul(const wchar_t *text, wchar_t **end, int base) {
  return __rt_unsigned_result(parse(text, end, base, RT_C99_INTEGER));
}

RT_ALIAS(wcstol, __rt_wcstol);
RT_ALIAS(wcstoll, __rt_wcstol);
RT_ALIAS(wcstoimax, __rt_wcstol);
RT_ALIAS(wcstoul, __rt_wcstoul);
RT_ALIAS(wcstoull, __rt_wcstoul);
RT_ALIAS(wcstoumax, __rt_wcstoul);

long __isoc23_wcstol(const wchar_t *text, wchar_t **end, int base) {
  return __rt_signed_result(parse(text, end, base, RT_C2X_INTEGER));
}

unsigned long __isoc23_wcstoul(const wchar_t *text, wchar_t **end, int base) {
  return __rt_unsigned_result(parse(text, end, base, RT_C2X_INTEGER));
}

RT_ALIAS(__isoc23_wcstoll, __isoc23_wcstol);
RT_ALIAS(__isoc23_wcstoull, __isoc23_wcstoul);

// ---- Real numbers. The characters of a number are ASCII, so that the value is that of a narrow copy.

static long double parse_real(const wchar_t *text, wchar_t **end, enum float_kind kind) {
  struct float_lexer lexer = {.state = RT_FLOAT_START};
  const wchar_t *start = text;
  long double value;
  char *copy;
  while (__rt_is_space(*start)) start++;
  while (__rt_float_accepts(&lexer, start[lexer.seen])) continue;
  if (end) *end = (wchar_t *)(lexer.valid > 0 ? start + lexer.valid : text);
  if (lexer.valid == 0) return 0;
  copy = malloc(lexer.valid + 1);
  if (!copy) return 0;
  for (size_t i = 0; i < lexer.valid; i++) copy[i] = (char)start[i];
  copy[lexer.valid] = '\0';
  value = __rt_float_value(&lexer, copy, kind);
  free(copy);
  return value;
}

float wcstof(const wchar_t *restrict text, wchar_t **restrict end) { return (float)parse_real(text, end, RT_FLOAT); }
double wcstod(const wchar_t *restrict text, wchar_t **restrict end) { return (double)parse_real(text, end, RT_DOUBLE); }
long double wcstold(const wchar_t *restrict text, wchar_t **restrict end) {
  return parse_real(text, end, RT_LONG_DOUBLE);
}
