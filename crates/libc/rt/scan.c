// scanf's engine: walks a format and a source together. Numbers are converted in scan_number.c, text in scan_text.c;
// streams and strings as sources are in scanf.c and wscanf.c.

#include "rt.h"

int __rt_scan_get(struct scan *s) {
  int c = s->source->get(s->source);
  if (c != EOF) s->consumed++;
  return c;
}

void __rt_scan_unget(struct scan *s, int c) {
  if (c == EOF) return;
  s->consumed--;
  s->source->unget(s->source, c);
}

// Every argument is a pointer, so that one named by its position is found by counting.
void *__rt_scan_target(struct scan *s, const struct scan_directive *d) {
  va_list args;
  void *target = NULL;
  if (d->position == 0) return va_arg(s->args, void *);
  va_copy(args, s->args);
  for (int i = 0; i < d->position; i++) target = va_arg(args, void *);
  va_end(args);
  return target;
}

static void skip_space(struct scan *s) {
  int c;
  do c = __rt_scan_get(s);
  while (__rt_is_space(c));
  __rt_scan_unget(s, c);
}

// ---- Directives

static const char *parse_decimal(const char *p, size_t *number) {
  size_t value = 0;
  for (; __rt_is_digit(*p); p++) {
    if (value < INT_MAX) value = value * 10 + (size_t)(*p - '0');
  }
  *number = value;
  return p;
}

// The set of %[, in which a bracket that comes first is a member. Null when it is not closed.
static const char *parse_set(const char *p, struct scan_directive *d) {
  const char *end;
  if (*p == '^') {
    d->set_negated = 1;
    p++;
  }
  d->set = p;
  end = *p == '\0' ? NULL : strchr(p + 1, ']');
  if (!end) return NULL;
  d->set_length = (size_t)(end - p);
  return end + 1;
}

// Parses what follows a '%'. Null when it is malformed.
static const char *parse(const char *p, enum scan_dialect dialect, struct scan_directive *d) {
  const char *after;
  size_t number;
  *d = (struct scan_directive){.width = SIZE_MAX};
  after = parse_decimal(p, &number);
  if (after > p && *after == '$') {
    d->position = (int)number;
    p = after + 1;
  }
  for (; *p == '*' || *p == '\'' || *p == 'I'; p++) d->suppressed |= *p == '*';
  after = parse_decimal(p, &number);
  if (after > p && number > 0) d->width = number;
  p = after;
  if (*p == 'm' || (*p == 'a' && dialect == RT_SCAN_GNU && (p[1] == 's' || p[1] == 'S' || p[1] == '['))) {
    d->allocates = 1;
    p++;
  }
  p = __rt_parse_length(p, &d->length);
  d->conversion = *p++;
  if (d->conversion == 'S' || d->conversion == 'C') {
    d->conversion = (char)__rt_to_lower(d->conversion);
    d->length = LENGTH_LONG;
  }
  if (d->conversion == '[') return parse_set(p, d);
  return d->conversion == '\0' ? NULL : p;
}

static void store_count(struct scan *s, const struct scan_directive *d) {
  void *target;
  if (d->suppressed) return;
  target = __rt_scan_target(s, d);
  switch (d->length) {
    case LENGTH_CHAR: *(signed char *)target = (signed char)s->consumed; break;
    case LENGTH_SHORT: *(short *)target = (short)s->consumed; break;
    case LENGTH_INT: *(int *)target = (int)s->consumed; break;
    default: *(long *)target = (long)s->consumed; break;
  }
}

static enum scan_outcome match(struct scan *s, int expected) {
  int c = __rt_scan_get(s);
  if (c == EOF) return RT_SCAN_NO_INPUT;
  if (c == expected) return RT_SCAN_DONE;
  __rt_scan_unget(s, c);
  return RT_SCAN_NO_MATCH;
}

static enum scan_outcome convert(struct scan *s, const struct scan_directive *d) {
  switch (d->conversion) {
    case 'n':
      store_count(s, d);
      return RT_SCAN_DONE;
    case 'c': case '[':
      return __rt_scan_text(s, d);
    case '%':
      skip_space(s);
      return match(s, '%');
    case 's':
      skip_space(s);
      return __rt_scan_text(s, d);
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'p':
      if (__rt_scan_printed(s, d)) return RT_SCAN_DONE;
      skip_space(s);
      return __rt_scan_integer(s, d);
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
      skip_space(s);
      return __rt_scan_real(s, d);
    default:
      return RT_SCAN_NO_MATCH;
  }
}

static enum scan_outcome scan(struct scan *s) {
  const char *p = s->text;
  enum scan_outcome outcome = RT_SCAN_DONE;
  struct scan_directive d;
  while (*p != '\0' && outcome == RT_SCAN_DONE) {
    if (*p == '%') {
      p = parse(p + 1, s->dialect, &d);
      if (!p) return RT_SCAN_NO_MATCH;
      outcome = convert(s, &d);
    } else if (__rt_is_space((unsigned char)*p)) {
      skip_space(s);
      p++;
    } else {
      outcome = match(s, s->wide_text ? (int)s->wide_text[p - s->text] : (unsigned char)*p);
      p++;
    }
  }
  return outcome;
}

int __rt_scan(struct scan_source *source, enum scan_dialect dialect, const char *format, const wchar_t *wide,
              va_list args) {
  struct scan s = {.source = source, .dialect = dialect, .text = format, .wide_text = wide};
  enum scan_outcome outcome;
  va_copy(s.args, args);
  outcome = scan(&s);
  va_end(s.args);
  return outcome == RT_SCAN_NO_INPUT && s.assigned == 0 ? EOF : s.assigned;
}
