// Integers from text: the parser that the strto*, wcsto* and scanf families share, and the narrow functions over it.
// long, long long and intmax_t are the same type here.

#include "rt.h"

#include <inttypes.h>

struct units {
  const char *narrow;
  const wchar_t *wide;
};

static int at(struct units text, size_t i) {
  return text.wide ? (int)text.wide[i] : (unsigned char)text.narrow[i];
}

// Passes over 0x or 0b where `base` allows one that is followed by a digit; gives the base.
static unsigned skip_prefix(struct units text, size_t *i, int base, enum integer_syntax syntax) {
  int letter;
  // Whether a zero comes first makes no difference to most bases, and so must be no path.
  if (base != 0 && base != 2 && base != 16) return (unsigned)base;
  if (at(text, *i) != '0') return base == 0 ? 10 : (unsigned)base;
  letter = __rt_to_lower(at(text, *i + 1));
  if ((base == 0 || base == 16) && letter == 'x' && __rt_digit_value(at(text, *i + 2)) < 16) {
    *i += 2;
    return 16;
  }
  if (syntax == RT_C2X_INTEGER && (base == 0 || base == 2) && letter == 'b' &&
      __rt_digit_value(at(text, *i + 2)) < 2) {
    *i += 2;
    return 2;
  }
  return base == 0 ? 8 : (unsigned)base;
}

struct parsed_integer __rt_printed_integer(const char *text, int base) {
  struct parsed_integer number = {.printed = __sp_printed(text, base, RT_IS_PRINTED) != 0};
  if (number.printed) {
    number.magnitude = __sp_printed(text, base, RT_PRINTED_MAGNITUDE);
    number.length = __sp_printed(text, base, RT_PRINTED_LENGTH);
    number.negative = (int)__sp_printed(text, base, RT_PRINTED_SIGN);
    number.value = __sp_printed(text, base, RT_PRINTED_VALUE);
  }
  return number;
}

struct parsed_integer __rt_parse_integer(const char *narrow, const wchar_t *wide, int base,
                                         enum integer_syntax syntax) {
  struct units text = {narrow, wide};
  struct parsed_integer number = {0};
  size_t i = 0, first;
  unsigned radix, digit;
  uintmax_t most, most_digit;
  if (narrow) number = __rt_printed_integer(narrow, base);
  if (number.printed) return number;
  while (__rt_is_space(at(text, i))) i++;
  if (at(text, i) == '-' || at(text, i) == '+') number.negative = at(text, i++) == '-';
  radix = skip_prefix(text, &i, base, syntax);
  most = UINTMAX_MAX / radix;
  most_digit = UINTMAX_MAX % radix;
  for (first = i; (digit = __rt_digit_value(at(text, i))) < radix; i++) {
    if (number.magnitude > most || (number.magnitude == most && digit > most_digit)) number.overflow = 1;
    number.magnitude = number.magnitude * radix + digit;
  }
  if (number.overflow) number.magnitude = UINTMAX_MAX;
  if (i > first) number.length = i;
  return number;
}

long __rt_signed_result(struct parsed_integer number) {
  uintmax_t most = (uintmax_t)LONG_MAX + (uintmax_t)number.negative;
  if (number.overflow || number.magnitude > most) {
    errno = ERANGE;
    return number.negative ? LONG_MIN : LONG_MAX;
  }
  if (number.printed) return (long)number.value;
  return (long)(number.negative ? 0 - number.magnitude : number.magnitude);
}

unsigned long __rt_unsigned_result(struct parsed_integer number) {
  if (number.overflow) {
    errno = ERANGE;
    return ULONG_MAX;
  }
  if (number.printed) return number.value;
  return number.negative ? 0 - number.magnitude : number.magnitude;
}

static struct parsed_integer parse(const char *text, char **end, int base, enum integer_syntax syntax) {
  struct parsed_integer number = {0};
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return number;
  }
  number = __rt_parse_integer(text, NULL, base, syntax);
  if (end) *end = (char *)text + number.length;
  return number;
}

// The private names keep clear of the header, which redirects the public ones in C2X.
long __rt_strtol(const char *text, char **end, int base) {
  return __rt_signed_result(parse(text, end, base, RT_C99_INTEGER));
}

unsigned long __rt_strtoul(const char *text, char **end, int base) {
  return __rt_unsigned_result(parse(text, end, base, RT_C99_INTEGER));
}

RT_ALIAS(strtol, __rt_strtol);
RT_ALIAS(strtoll, __rt_strtol);
RT_ALIAS(strtoimax, __rt_strtol);
RT_ALIAS(strtoq, __rt_strtol);
RT_ALIAS(strtoul, __rt_strtoul);
RT_ALIAS(strtoull, __rt_strtoul);
RT_ALIAS(strtoumax, __rt_strtoul);
RT_ALIAS(strtouq, __rt_strtoul);

long __isoc23_strtol(const char *text, char **end, int base) {
  return __rt_signed_result(parse(text, end, base, RT_C2X_INTEGER));
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
  return __rt_unsigned_result(parse(text, end, base, RT_C2X_INTEGER));
}

RT_ALIAS(__isoc23_strtoll, __isoc23_strtol);
RT_ALIAS(__isoc23_strtoimax, __isoc23_strtol);
RT_ALIAS(__isoc23_strtoull, __isoc23_strtoul);
RT_ALIAS(__isoc23_strtoumax, __isoc23_strtoul);

long __strtol_internal(const char *text, char **end, int base, int group) {
  (void)group;
  return __rt_strtol(text, end, base);
}

unsigned long __strtoul_internal(const char *text, char **end, int base, int group) {
  (void)group;
  return __rt_strtoul(text, end, base);
}

RT_ALIAS(__strtoll_internal, __strtol_internal);
RT_ALIAS(__strtoull_internal, __strtoul_internal);

long strtol_l(const char *text, char **end, int base, locale_t locale) {
  (void)locale;
  return __rt_strtol(text, end, base);
}

unsigned long strtoul_l(const char *text, char **end, int base, locale_t locale) {
  (void)locale;
  return __rt_strtoul(text, end, base);
}

RT_ALIAS(strtoll_l, strtol_l);
RT_ALIAS(strtoull_l, strtoul_l);

int atoi(const char *text) { return (int)__rt_strtol(text, NULL, 10); }
long atol(const char *text) { return __rt_strtol(text, NULL, 10); }
long long atoll(const char *text) { return __rt_strtol(text, NULL, 10); }
