// Text of a real number for printf's e, f, g and a conversions: the VM gives correctly rounded digits for e, f and a;
// %g's choice between them, and the # flag, are made here. Sign, padding and case belong to format.c.

#include "rt.h"

static int digits(char *buf, size_t cap, long double value, int as_double, int conversion, int precision) {
  if (as_double) return __sp_format_double(buf, cap, (double)value, conversion, precision);
  return __sp_format_float(buf, cap, value, conversion, precision);
}

static int fill(struct real_text *text, long double value, int as_double, int conversion, int precision) {
  // One spare byte lets a point be inserted.
  size_t room = sizeof text->local - 1;
  int length;
  text->start = text->local;
  length = digits(text->start, room, value, as_double, conversion, precision);
  if ((size_t)length > room) {
    room = (size_t)length;
    text->start = malloc(room + 1);
    if (!text->start) return __rt_fail(ENOMEM);
    length = digits(text->start, room, value, as_double, conversion, precision);
  }
  text->length = (size_t)length;
  return 0;
}

static int is_number(const struct real_text *text) { return __rt_is_digit(text->start[0]); }

// Where the exponent's letter stands, or the end of the text.
static size_t exponent_position(const struct real_text *text, int letter) {
  const char *found = memchr(text->start, letter, text->length);
  return found ? (size_t)(found - text->start) : text->length;
}

static int exponent_value(const struct real_text *text) {
  size_t i = exponent_position(text, 'e') + 1;
  int negative = text->start[i] == '-';
  int value = 0;
  for (i++; i < text->length; i++) value = value * 10 + (text->start[i] - '0');
  return negative ? -value : value;
}

static void remove_trailing_zeros(struct real_text *text) {
  size_t end = exponent_position(text, 'e');
  size_t keep = end;
  if (!memchr(text->start, '.', end)) return;
  while (text->start[keep - 1] == '0') keep--;
  if (text->start[keep - 1] == '.') keep--;
  memmove(text->start + keep, text->start + end, text->length - end);
  text->length -= end - keep;
}

static void ensure_point(struct real_text *text, int conversion) {
  size_t end = exponent_position(text, conversion == 'a' ? 'p' : 'e');
  if (memchr(text->start, '.', end)) return;
  memmove(text->start + end + 1, text->start + end, text->length - end);
  text->start[end] = '.';
  text->length++;
}

static int fill_general(struct real_text *text, long double value, int as_double, int precision, int keep_zeros) {
  int exponent;
  if (precision < 0) precision = 6;
  if (precision == 0) precision = 1;
  if (fill(text, value, as_double, 'e', precision - 1) < 0) return -1;
  if (!is_number(text)) return 0;
  exponent = exponent_value(text);
  if (exponent >= -4 && exponent < precision) {
    __rt_real_text_free(text);
    if (fill(text, value, as_double, 'f', precision - 1 - exponent) < 0) return -1;
  }
  if (!keep_zeros) remove_trailing_zeros(text);
  return 0;
}

int __rt_real_to_text(struct real_text *text, long double value, int as_double, int conversion, int precision,
                      int keep_point) {
  int failed = conversion == 'g' ? fill_general(text, value, as_double, precision, keep_point)
                                 : fill(text, value, as_double, conversion, precision);
  if (failed < 0) return -1;
  if (keep_point && is_number(text)) ensure_point(text, conversion);
  return 0;
}

void __rt_real_text_free(struct real_text *text) {
  if (text->start != text->local) free(text->start);
}
