// Syntax of printf directives: from the text after a percent sign to a `struct directive`.

#include "rt.h"

// ---- Directives

static int parse_flag(char c) {
  switch (c) {
    case '-': return LEFT;
    case '+': return PLUS;
    case ' ': return SPACE;
    case '#': return ALTERNATE;
    case '0': return ZERO;
    case '\'': return GROUP;
    default: return 0;
  }
}

// A decimal number, or -1 if it is larger than an int.
static const char *parse_number(const char *p, int *number) {
  int value = 0;
  for (; __rt_is_digit(*p); p++) {
    int digit = *p - '0';
    value = value < 0 || value > (INT_MAX - digit) / 10 ? -1 : value * 10 + digit;
  }
  *number = value;
  return p;
}

// After '*': the argument's position, if one is given.
static const char *parse_star(const char *p, int *arg) {
  int position;
  const char *end = parse_number(p, &position);
  *arg = NEXT_ARG;
  if (end == p || *end != '$') return p;
  *arg = position;
  return end + 1;
}

const char *__rt_parse_length(const char *p, enum length *length) {
  *length = LENGTH_INT;
  switch (*p) {
    case 'h':
      *length = p[1] == 'h' ? LENGTH_CHAR : LENGTH_SHORT;
      return p + (p[1] == 'h' ? 2 : 1);
    case 'l':
      *length = p[1] == 'l' ? LENGTH_LONG_DOUBLE : LENGTH_LONG;
      return p + (p[1] == 'l' ? 2 : 1);
    case 'L':
    case 'q':
      *length = LENGTH_LONG_DOUBLE;
      return p + 1;
    case 'j':
    case 'z':
    case 'Z':
    case 't':
      *length = LENGTH_LONG;
      return p + 1;
    default:
      return p;
  }
}

const char *__rt_parse_directive(const char *p, struct directive *d) {
  int flag, number;
  *d = (struct directive){.precision = -1, .value_arg = NEXT_ARG, .length = LENGTH_INT, .conversion = *p};
  // Most directives are a bare letter.
  if (*p == 'd' || *p == 's' || *p == 'c' || *p == 'u' || *p == 'x') return p + 1;
  if (__rt_is_digit(*p) && *p != '0') {
    p = parse_number(p, &number);
    if (number < 0) return NULL;
    if (*p != '$') {
      d->width = number;
      goto precision;
    }
    d->value_arg = number;
    p++;
  }
  while ((flag = parse_flag(*p)) != 0 || *p == 'I') {
    d->flags |= (unsigned)flag;
    p++;
  }
  if (*p == '*') {
    p = parse_star(p + 1, &d->width_arg);
  } else {
    p = parse_number(p, &d->width);
    if (d->width < 0) return NULL;
  }
precision:
  if (*p == '.') {
    p++;
    if (*p == '*') {
      p = parse_star(p + 1, &d->precision_arg);
    } else {
      p = parse_number(p, &d->precision);
      if (d->precision < 0) return NULL;
    }
  }
  p = __rt_parse_length(p, &d->length);
  d->conversion = *p;
  if (*p == 'C' || *p == 'S') {
    d->conversion = (char)__rt_to_lower(*p);
    d->length = LENGTH_LONG;
  }
  return *p == '\0' ? p : p + 1;
}
