// printf's conversions: an argument becomes text, padded to its field, in a sink. Real numbers become text in
// format_real.c.

#include "rt.h"

// ---- Output

void __rt_format_fail(struct format *f, int error) {
  errno = error;
  f->failed = 1;
}

// Texts of no length are put like others: how long one is may depend on the input, and then asking would be a branch.
static int reserve(struct format *f, size_t n) {
  if (f->failed) return 0;
  if (n > INT_MAX - f->count) {
    __rt_format_fail(f, EOVERFLOW);
    return 0;
  }
  f->count += n;
  return 1;
}

enum { CHUNK = 32 };

static int put_widened(struct sink *sink, const char *text, size_t n) {
  wchar_t chunk[CHUNK];
  while (n > 0) {
    size_t i;
    for (i = 0; i < CHUNK && i < n; i++) {
      wint_t c = __rt_widen((unsigned char)text[i]);
      if (c == WEOF) return __rt_fail(EILSEQ);
      chunk[i] = (wchar_t)c;
    }
    if (sink->put_wide(sink, chunk, i) < 0) return -1;
    text += i;
    n -= i;
  }
  return 0;
}

static int put_narrowed(struct sink *sink, const wchar_t *text, size_t n) {
  char chunk[CHUNK];
  while (n > 0) {
    size_t i;
    for (i = 0; i < CHUNK && i < n; i++) {
      int c = __rt_narrow((wint_t)text[i]);
      if (c < 0) return __rt_fail(EILSEQ);
      chunk[i] = (char)c;
    }
    if (sink->put(sink, chunk, i) < 0) return -1;
    text += i;
    n -= i;
  }
  return 0;
}

static void emit(struct format *f, const char *text, size_t n) {
  if (!reserve(f, n)) return;
  if ((f->sink->put ? f->sink->put(f->sink, text, n) : put_widened(f->sink, text, n)) < 0) f->failed = 1;
}

static void emit_wide(struct format *f, const wchar_t *text, size_t n) {
  if (!reserve(f, n)) return;
  if ((f->sink->put ? put_narrowed(f->sink, text, n) : f->sink->put_wide(f->sink, text, n)) < 0) f->failed = 1;
}

void __rt_format_literal(struct format *f, const char *start, size_t n) {
  if (f->wide_text) {
    emit_wide(f, f->wide_text + (start - f->text), n);
  } else {
    emit(f, start, n);
  }
}

static void emit_padding(struct format *f, char c, size_t n) {
  char chunk[CHUNK];
  if (f->sink->fill) {
    if (reserve(f, n)) f->sink->fill(f->sink, c, n);
    return;
  }
  if (n == 0) return;
  if (n > INT_MAX) {
    __rt_format_fail(f, EOVERFLOW);
    return;
  }
  memset(chunk, c, n < CHUNK ? n : CHUNK);
  for (; n > 0 && !f->failed; n -= n < CHUNK ? n : CHUNK) emit(f, chunk, n < CHUNK ? n : CHUNK);
}

static size_t missing(const struct directive *d, size_t length) {
  return (size_t)d->width > length ? (size_t)d->width - length : 0;
}

// Whether there is something to put: where that depends on the input, it is put without asking.
static int is_some(size_t n) { return __sp_is_open(n) || n > 0; }

// A field: prefix (sign, 0x), zeros that the precision asks for, body; padded to the width.
static void emit_field(struct format *f, const struct directive *d, const char *prefix, size_t n_prefix, size_t zeros,
                       const char *body, size_t n) {
  size_t padding = missing(d, n_prefix + zeros + n);
  size_t behind = d->flags & LEFT ? padding : 0;
  size_t inside = (d->flags & (LEFT | ZERO)) == ZERO ? padding : 0;
  size_t before = padding - behind - inside;
  if (is_some(before)) emit_padding(f, ' ', before);
  if (is_some(n_prefix)) emit(f, prefix, n_prefix);
  if (is_some(inside + zeros)) emit_padding(f, '0', inside + zeros);
  emit(f, body, n);
  if (is_some(behind)) emit_padding(f, ' ', behind);
}

// ---- Integers

static intmax_t as_signed(uintmax_t word, enum length length) {
  switch (length) {
    case LENGTH_CHAR: return (signed char)word;
    case LENGTH_SHORT: return (short)word;
    case LENGTH_INT: return (int)word;
    default: return (intmax_t)word;
  }
}

static uintmax_t as_unsigned(uintmax_t word, enum length length) {
  switch (length) {
    case LENGTH_CHAR: return (unsigned char)word;
    case LENGTH_SHORT: return (unsigned short)word;
    case LENGTH_INT: return (unsigned)word;
    default: return word;
  }
}

static const char *sign_prefix(const struct directive *d, int negative) {
  if (negative) return "-";
  if (d->flags & PLUS) return "+";
  return d->flags & SPACE ? " " : "";
}

// How many digits there are to be at least.
static size_t least_digits(const struct directive *d) { return d->precision < 0 ? 1 : (size_t)d->precision; }

// A zero before the digits is for padding only if no precision is given.
static void ignore_zero_flag(struct directive *d) { d->flags &= ~(unsigned)(d->precision >= 0 ? ZERO : 0); }

// The digits of a number, of which zero has none. They end where they are said to.
static size_t write_digits(char *end, uintmax_t magnitude, unsigned base, char conversion) {
  const char *symbols = conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  char *start = end;
  for (uintmax_t rest = magnitude; rest != 0; rest /= base) *--start = symbols[rest % base];
  return (size_t)(end - start);
}

static void emit_digits(struct format *f, struct directive *d, const char *prefix, const char *end, size_t n, unsigned base) {
  size_t zeros = 0;
  ignore_zero_flag(d);
  if (n < least_digits(d)) zeros = least_digits(d) - n;
  if (base == 8 && (d->flags & ALTERNATE) && zeros == 0) zeros = 1;
  emit_field(f, d, prefix, *prefix == '\0' ? 0 : strlen(prefix), zeros, end - n, n);
}

enum { MOST_DIGITS = sizeof(uintmax_t) * CHAR_BIT };

static void emit_integer(struct format *f, struct directive *d, const char *prefix, uintmax_t magnitude, unsigned base) {
  char buf[MOST_DIGITS];
  emit_digits(f, d, prefix, buf + sizeof buf, write_digits(buf + sizeof buf, magnitude, base, d->conversion), base);
}

// A number that depends on the input, or is printed as the input says. How many digits it has is a sum of comparisons, and each
// digit a division, which nobody has to do unless the text is read: no length is a branch. Whoever reads all of it gets the number.
static void emit_open_integer(struct format *f, struct directive *d, const char *prefix, size_t n_prefix,
                              uintmax_t magnitude, unsigned base) {
  char buf[MOST_DIGITS];
  size_t most = base == 16 ? 16 : base == 10 ? 20 : base == 8 ? 22 : MOST_DIGITS;
  size_t least = least_digits(d), n = __sp_count_digits(magnitude, base), zeros;
  if (least == 0) n -= magnitude == 0;
  for (size_t i = 0; i < most; i++)
    buf[MOST_DIGITS - 1 - i] = (char)__sp_digit(magnitude, base, i, d->conversion == 'X' ? 'A' : 'a');
  zeros = least > 1 && least > n ? least - n : 0;
  if (base == 8 && d->flags & ALTERNATE) zeros += (zeros == 0) & ((magnitude != 0) | (n == 0));
  ignore_zero_flag(d);
  emit_field(f, d, prefix, n_prefix, zeros, buf + MOST_DIGITS - n, n);
}

// Whether a precision depends on the input.
static int is_star_open(const struct directive *d) {
  return d->precision_arg != NO_ARG && __sp_is_open((uintmax_t)d->precision);
}

// Whether a number, or how it is printed, depends on the input.
static int is_open(const struct directive *d, uintmax_t word) {
  return __sp_is_open(word) || (d->width_arg != NO_ARG && __sp_is_open((uintmax_t)d->width)) || is_star_open(d);
}

static void convert_signed(struct format *f, struct directive *d, const struct format_value *value) {
  intmax_t number = as_signed(value->word, d->length);
  uintmax_t magnitude = number < 0 ? 0 - (uintmax_t)number : (uintmax_t)number;
  if (is_open(d, value->word)) {
    int is_signed = (d->flags & (PLUS | SPACE)) != 0;
    char sign = d->flags & PLUS ? '+' : ' ';
    sign = number < 0 ? '-' : sign;
    emit_open_integer(f, d, is_signed ? &sign : "-", is_signed ? 1 : number < 0, magnitude, 10);
    return;
  }
  emit_integer(f, d, sign_prefix(d, number < 0), magnitude, 10);
}

static unsigned base_of(char conversion) {
  switch (conversion) {
    case 'o': return 8;
    case 'u': return 10;
    case 'b': case 'B': return 2;
    default: return 16;
  }
}

static void convert_unsigned(struct format *f, struct directive *d, const struct format_value *value) {
  uintmax_t number = as_unsigned(value->word, d->length);
  unsigned base = base_of(d->conversion);
  char prefix[] = {'0', d->conversion, '\0'};
  int has_prefix = (d->flags & ALTERNATE) && (base == 16 || base == 2);
  if (is_open(d, value->word)) {
    emit_open_integer(f, d, prefix, has_prefix ? 2 * (size_t)(number != 0) : 0, number, base);
  } else {
    emit_integer(f, d, has_prefix && number != 0 ? prefix : "", number, base);
  }
}

static size_t write_address(char *end, uintmax_t address) {
  RT_MUTED(RT_TEXT);
  return write_digits(end, address, 16, 'p');
}

static void convert_pointer(struct format *f, struct directive *d, const struct format_value *value) {
  if (value->word == 0) {
    d->flags &= ~(unsigned)ZERO;
    emit_field(f, d, "", 0, 0, "(nil)", 5);
  } else {
    char buf[MOST_DIGITS];
    const char *prefix = d->flags & PLUS ? "+0x" : d->flags & SPACE ? " 0x" : "0x";
    RT_NOTE(RT_ONE_ANSWER, "%p", "writes an address, which is another one in each run of the program");
    emit_digits(f, d, prefix, buf + sizeof buf, write_address(buf + sizeof buf, value->word), 16);
  }
}

// ---- Real numbers

// A number by what stands before its point and behind it, as an integer each.
struct fixed {
  uintmax_t whole, part;
};

enum { MOST_PLACES = 9 };

// A double below 2^64, rounded to so many places: to the even one of two that are as near. The fraction is taken as 128 bits, which it fits, or
// is too small to count. There is no branch, since the number depends on the input.
static struct fixed as_fixed(uintmax_t bits, unsigned places) {
  unsigned field = bits >> 52 & 0x7ff, exponent = field + (field == 0);
  uintmax_t mantissa = (bits & (UINTMAX_MAX >> 12)) | (uintmax_t)(field != 0) << 52;
  // So many of its bits, and zeros before them, are behind the point.
  unsigned behind = exponent < 1075 ? 1075 - exponent : 0, before = exponent < 1075 ? 0 : exponent - 1075;
  uintmax_t whole = behind < 64 ? mantissa >> (behind & 63) << (before & 63) : 0;
  uintmax_t shifted = mantissa << (-behind & 63), low = mantissa >> (behind & 63);
  uintmax_t first = behind == 0 || behind > 127 ? 0 : behind <= 64 ? shifted : low;
  uintmax_t second = behind > 64 && behind < 128 ? shifted : behind == 128 ? mantissa : 0;
  uintmax_t power = 1, product, part, half, rest, up;
  for (unsigned i = 0; i < places; i++) power *= 10;
  product = (uint32_t)second * power;
  rest = (uint32_t)product;
  product = (second >> 32) * power + (product >> 32);
  rest |= (uint32_t)product;
  product = (uint32_t)first * power + (product >> 32);
  rest |= (uint32_t)product;
  product = (first >> 32) * power + (product >> 32);
  half = (uintmax_t)1 << 31;
  rest |= (uint32_t)product & (half - 1);
  part = product >> 32;
  up = (product & half) != 0 & (rest != 0 | (places ? part : whole) & 1);
  part += up;
  up = part == power;
  return (struct fixed){whole + up, up ? 0 : part};
}

// A number that depends on the input, by %f: digits as those of integers. Nothing that is larger, infinite or no number.
static int emit_open_fixed(struct format *f, const struct directive *d, uintmax_t bits) {
  enum { MOST_BEFORE = 20 };
  char buf[MOST_BEFORE + 1 + MOST_PLACES], sign;
  unsigned places = d->precision < 0 ? 6 : (unsigned)d->precision;
  int negative = (int)(bits >> 63), is_signed = (d->flags & (PLUS | SPACE)) != 0;
  size_t n, n_behind = places + (places > 0 || d->flags & ALTERNATE);
  struct fixed number;
  if (__rt_to_lower(d->conversion) != 'f' || d->length == LENGTH_LONG_DOUBLE || places > MOST_PLACES) return 0;
  if (!__sp_is_open(bits) || is_star_open(d) || (bits >> 52 & 0x7ff) >= 1023 + 64) return 0;
  number = as_fixed(bits, places);
  n = __sp_count_digits(number.whole, 10);
  for (size_t i = 0; i < MOST_BEFORE; i++) buf[MOST_BEFORE - 1 - i] = (char)__sp_digit(number.whole, 10, i, 'a');
  buf[MOST_BEFORE] = '.';
  for (size_t i = 0; i < places; i++) buf[MOST_BEFORE + places - i] = (char)__sp_digit(number.part, 10, i, 'a');
  sign = d->flags & PLUS ? '+' : ' ';
  sign = negative ? '-' : sign;
  emit_field(f, d, is_signed ? &sign : "-", is_signed ? 1 : (size_t)negative, 0, buf + MOST_BEFORE - n, n + n_behind);
  return 1;
}

// Where the digits begin, behind a prefix; -1 if there is no memory.
static int write_real(struct real_text *text, char *prefix, struct directive *d, long double number) {
  RT_MUTED(RT_TEXT);
  int conversion = __rt_to_lower(d->conversion);
  if (__rt_real_to_text(text, number, d->length != LENGTH_LONG_DOUBLE, conversion, d->precision,
                        (d->flags & ALTERNATE) != 0) < 0) {
    return -1;
  }
  if (conversion != d->conversion) {
    for (size_t i = 0; i < text->length; i++) text->start[i] = (char)__rt_to_upper(text->start[i]);
  }
  strcpy(prefix, sign_prefix(d, __builtin_signbit(number)));
  if (!__rt_is_digit(text->start[0])) {
    d->flags &= ~(unsigned)ZERO;
  } else if (conversion == 'a') {
    strncat(prefix, text->start, 2);
    return 2;
  }
  return 0;
}

static void convert_concrete_real(struct format *f, struct directive *d, const struct format_value *value) {
  struct real_text text;
  char prefix[4];
  int skip = write_real(&text, prefix, d, value->real);
  if (skip < 0) {
    f->failed = 1;
    return;
  }
  emit_field(f, d, prefix, strlen(prefix), 0, text.start + skip, text.length - (size_t)skip);
  __rt_real_text_free(&text);
}

static void convert_real(struct format *f, struct directive *d, const struct format_value *value) {
  if (!emit_open_fixed(f, d, value->word)) convert_concrete_real(f, d, value);
}

// ---- Text

// Length of a string of which at most `precision` units may be read; -1 is no limit.
static size_t bounded_length(const char *text, int precision) {
  return precision < 0 ? strlen(text) : strnlen(text, (size_t)precision);
}

static size_t bounded_wide_length(const wchar_t *text, int precision) {
  size_t n = 0;
  while ((precision < 0 || n < (size_t)precision) && text[n] != L'\0') n++;
  return n;
}

static void emit_string(struct format *f, const struct directive *d, const char *text, size_t n) {
  struct directive field = {.width = d->width, .flags = d->flags & LEFT};
  emit_field(f, &field, "", 0, 0, text, n);
}

static void emit_wide_string(struct format *f, const struct directive *d, const wchar_t *text, size_t n) {
  size_t padding = missing(d, n);
  if (!(d->flags & LEFT)) emit_padding(f, ' ', padding);
  emit_wide(f, text, n);
  if (d->flags & LEFT) emit_padding(f, ' ', padding);
}

static void convert_string(struct format *f, const struct directive *d, const struct format_value *value) {
  const void *text = (const void *)value->word;
  if (!text) {
    static const char null_text[] = "(null)";
    size_t n = sizeof null_text - 1;
    emit_string(f, d, null_text, d->precision < 0 || (size_t)d->precision >= n ? n : 0);
  } else if (d->length >= LENGTH_LONG) {
    emit_wide_string(f, d, text, bounded_wide_length(text, d->precision));
  } else {
    emit_string(f, d, text, bounded_length(text, d->precision));
  }
}

static void convert_character(struct format *f, const struct directive *d, const struct format_value *value) {
  if (d->length >= LENGTH_LONG) {
    wchar_t wide = (wchar_t)value->word;
    emit_wide_string(f, d, &wide, 1);
  } else {
    char narrow = (char)value->word;
    __sp_check_character((unsigned char)narrow);
    emit_string(f, d, &narrow, 1);
  }
}

static void convert_error(struct format *f, const struct directive *d) {
  int error = errno;
  const char *name = __rt_error_name(error);
  const char *text = name && (d->flags & ALTERNATE) ? name : __rt_describe_error(error);
  emit_string(f, d, text, bounded_length(text, d->precision));
}

// ---- Others

static void store_count(const struct format *f, const struct directive *d, const struct format_value *value) {
  void *target = (void *)value->word;
  switch (d->length) {
    case LENGTH_CHAR: *(signed char *)target = (signed char)f->count; break;
    case LENGTH_SHORT: *(short *)target = (short)f->count; break;
    case LENGTH_INT: *(int *)target = (int)f->count; break;
    default: *(long *)target = (long)f->count; break;
  }
}

// As glibc, an unknown directive is written back in a normal form.
static void convert_unknown(struct format *f, const struct directive *d) {
  char flags[8];
  size_t n = 0;
  struct directive plain = {.precision = -1};
  flags[n++] = '%';
  if (d->flags & ALTERNATE) flags[n++] = '#';
  if (d->flags & GROUP) flags[n++] = '\'';
  if (d->flags & PLUS) flags[n++] = '+';
  else if (d->flags & SPACE) flags[n++] = ' ';
  if (d->flags & LEFT) flags[n++] = '-';
  else if (d->flags & ZERO) flags[n++] = '0';
  emit(f, flags, n);
  if (d->width != 0) emit_integer(f, &plain, "", (uintmax_t)d->width, 10);
  if (d->precision >= 0) {
    emit(f, ".", 1);
    emit_integer(f, &plain, "", (uintmax_t)d->precision, 10);
  }
  emit(f, &d->conversion, 1);
}

void __rt_format_convert(struct format *f, struct directive *d, const struct format_value *value) {
  switch (d->conversion) {
    case 'd': case 'i': convert_signed(f, d, value); break;
    case 'o': case 'u': case 'x': case 'X': case 'b': case 'B': convert_unsigned(f, d, value); break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': convert_real(f, d, value); break;
    case 's': convert_string(f, d, value); break;
    case 'c': convert_character(f, d, value); break;
    case 'p': convert_pointer(f, d, value); break;
    case 'n': store_count(f, d, value); break;
    case 'm': convert_error(f, d); break;
    case '%': emit(f, "%", 1); break;
    case '\0': __rt_format_fail(f, EINVAL); break;
    default: convert_unknown(f, d); break;
  }
}
