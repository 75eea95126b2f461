// scanf's number conversions: the characters that can belong to a number are gathered, and then parsed as strtol and
// strtod do.

#include "rt.h"

// Gathered characters. Only very long numbers leave the local buffer.
struct gathered {
  char *start;
  size_t length, capacity;
  int failed;
  char local[64];
};

static void begin(struct gathered *text) {
  text->start = text->local;
  text->length = 0;
  text->capacity = sizeof text->local;
  text->failed = 0;
}

static void end(struct gathered *text) {
  if (text->start != text->local) free(text->start);
}

static void grow(struct gathered *text) {
  char *grown = malloc(text->capacity * 2);
  if (!grown) {
    text->failed = 1;
    return;
  }
  memcpy(grown, text->start, text->length);
  end(text);
  text->start = grown;
  text->capacity *= 2;
}

static void add(struct gathered *text, int c) {
  if (text->length + 1 == text->capacity) grow(text);
  if (!text->failed) text->start[text->length++] = (char)c;
}

// ---- Integers

// Characters of the field, until the width is used up.
struct field {
  struct scan *scan;
  size_t width;
};

static int next(struct field *field) {
  if (field->width == 0) return EOF;
  field->width--;
  return __rt_scan_get(field->scan);
}

static int base_of(char conversion) {
  switch (conversion) {
    case 'i': return 0;
    case 'o': return 8;
    case 'x': case 'X': case 'p': return 16;
    default: return 10;
  }
}

// Passes over a prefix like 0x; `c` is the character after the sign, and the result the one after the prefix.
static int gather_prefix(struct field *field, struct gathered *text, int c, int *base) {
  int letter;
  if (c != '0') {
    if (*base == 0) *base = 10;
    return c;
  }
  add(text, c);
  c = next(field);
  letter = __rt_to_lower(c);
  if (letter == 'x' && (*base == 0 || *base == 16)) {
    *base = 16;
    return next(field);
  }
  if (letter == 'b' && *base == 0 && field->scan->dialect == RT_SCAN_C2X) {
    *base = 2;
    return next(field);
  }
  if (*base == 0) *base = 8;
  return c;
}

// The rest of "(nil)", which %p prints for the null pointer.
static int matches_nil(struct field *field, int *c) {
  for (const char *expected = "(nil)"; *expected != '\0'; expected++) {
    if (__rt_to_lower(*c) != *expected) return 0;
    if (expected[1] != '\0') *c = next(field);
  }
  return 1;
}

static void store_integer(struct scan *s, const struct scan_directive *d, struct parsed_integer number) {
  int is_signed = d->conversion == 'd' || d->conversion == 'i';
  unsigned long value = is_signed ? (unsigned long)__rt_signed_result(number) : __rt_unsigned_result(number);
  void *target;
  if (d->suppressed) return;
  target = __rt_scan_target(s, d);
  s->assigned++;
  switch (d->conversion == 'p' ? LENGTH_LONG : d->length) {
    case LENGTH_CHAR: *(unsigned char *)target = (unsigned char)value; break;
    case LENGTH_SHORT: *(unsigned short *)target = (unsigned short)value; break;
    case LENGTH_INT: *(unsigned *)target = (unsigned)value; break;
    default: *(unsigned long *)target = value; break;
  }
}

int __rt_scan_printed(struct scan *s, const struct scan_directive *d) {
  struct parsed_integer number;
  if (!s->source->string || d->conversion == 'p') return 0;
  number = __rt_printed_integer(*s->source->string, base_of(d->conversion));
  if (!number.printed || number.length > d->width) return 0;
  *s->source->string += number.length;
  s->consumed += number.length;
  store_integer(s, d, number);
  return 1;
}

enum scan_outcome __rt_scan_integer(struct scan *s, const struct scan_directive *d) {
  struct field field = {s, d->width};
  struct gathered text;
  int base = base_of(d->conversion);
  int c = next(&field);
  size_t sign, found;
  if (c == EOF) return RT_SCAN_NO_INPUT;
  begin(&text);
  if (c == '-' || c == '+') {
    add(&text, c);
    c = next(&field);
  }
  sign = text.length;
  c = gather_prefix(&field, &text, c, &base);
  for (; __rt_digit_value(c) < (unsigned)base; c = next(&field)) add(&text, c);
  found = text.length > sign;
  if (!found && sign == 0 && d->conversion == 'p' && matches_nil(&field, &c)) {
    add(&text, '0');
    found = 1;
  } else {
    __rt_scan_unget(s, c);
  }
  found = found && !text.failed;
  if (found) {
    text.start[text.length] = '\0';
    store_integer(s, d, __rt_parse_integer(text.start, NULL, base, RT_C99_INTEGER));
  }
  end(&text);
  return found ? RT_SCAN_DONE : RT_SCAN_NO_MATCH;
}

// ---- Real numbers

static void store_real(struct scan *s, const struct scan_directive *d, const struct float_lexer *lexer,
                       const char *text) {
  enum float_kind kind = d->length == LENGTH_LONG ? RT_DOUBLE : d->length == LENGTH_LONG_DOUBLE ? RT_LONG_DOUBLE : RT_FLOAT;
  long double value = __rt_float_value(lexer, text, kind);
  void *target;
  if (d->suppressed) return;
  target = __rt_scan_target(s, d);
  s->assigned++;
  switch (kind) {
    case RT_FLOAT: *(float *)target = (float)value; break;
    case RT_DOUBLE: *(double *)target = (double)value; break;
    case RT_LONG_DOUBLE: *(long double *)target = value; break;
  }
}

// A word that was begun must be completed, and 0x go on; an exponent or a fraction need not.
static int is_number(const struct float_lexer *lexer) {
  if (lexer->valid == 0 || (lexer->hex && !lexer->any_digit && lexer->state == RT_FLOAT_INTEGER)) return 0;
  return (lexer->state != RT_FLOAT_INFINITY && lexer->state != RT_FLOAT_NAN) || lexer->valid == lexer->seen;
}

enum scan_outcome __rt_scan_real(struct scan *s, const struct scan_directive *d) {
  struct field field = {s, d->width};
  struct float_lexer lexer = {.state = RT_FLOAT_START};
  struct gathered text;
  int c = next(&field);
  int found;
  if (c == EOF) return RT_SCAN_NO_INPUT;
  begin(&text);
  for (; c != EOF; c = next(&field)) {
    // A field that ends in 0x is the number 0.
    if (lexer.state == RT_FLOAT_ZERO && field.width == 0 && __rt_to_lower(c) == 'x') break;
    if (!__rt_float_accepts(&lexer, c)) break;
    add(&text, c);
  }
  __rt_scan_unget(s, c);
  found = is_number(&lexer) && !text.failed;
  if (found) store_real(s, d, &lexer, text.start);
  end(&text);
  return found ? RT_SCAN_DONE : RT_SCAN_NO_MATCH;
}
