// printf's formatter: walks a format, fetches arguments in order or by position, and has each directive converted
// (format_convert.c). It knows neither streams nor buffers; see printf.c, sprintf.c and wprintf.c.

#include "rt.h"

enum arg_kind { ARG_NONE, ARG_INT, ARG_LONG, ARG_POINTER, ARG_DOUBLE, ARG_LONG_DOUBLE };

static enum arg_kind kind_of(const struct directive *d) {
  switch (d->conversion) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b': case 'B':
      return d->length >= LENGTH_LONG ? ARG_LONG : ARG_INT;
    case 'c':
      return ARG_INT;
    case 's': case 'p': case 'n':
      return ARG_POINTER;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
      return d->length == LENGTH_LONG_DOUBLE ? ARG_LONG_DOUBLE : ARG_DOUBLE;
    default:
      return ARG_NONE;
  }
}

// Only what the kind uses is set.
static void next_value(struct format *f, enum arg_kind kind, struct format_value *value) {
  switch (kind) {
    case ARG_NONE: break;
    case ARG_INT: value->word = (uintmax_t)va_arg(f->args, int); break;
    case ARG_LONG: value->word = (uintmax_t)va_arg(f->args, long); break;
    case ARG_POINTER: value->word = (uintmax_t)va_arg(f->args, void *); break;
    case ARG_DOUBLE: {
      double number = va_arg(f->args, double);
      value->real = number;
      memcpy(&value->word, &number, sizeof number);
      break;
    }
    case ARG_LONG_DOUBLE: value->real = va_arg(f->args, long double); break;
  }
}

// The argument, in `storage` or in the table of positions.
static const struct format_value *take(struct format *f, int position, enum arg_kind kind,
                                       struct format_value *storage) {
  if (kind != ARG_NONE && f->positional) {
    return &f->positional[(position == NEXT_ARG ? ++f->next_position : position) - 1];
  }
  next_value(f, kind, storage);
  return storage;
}

static int take_int(struct format *f, int position) {
  struct format_value storage;
  return (int)take(f, position, ARG_INT, &storage)->word;
}

struct arg_kinds {
  enum arg_kind of[NL_ARGMAX + 1];
  int next_position;  // for the directives that name none
  int highest;
  int named;          // some directive names a position
};

static int note_kind(struct arg_kinds *kinds, int position, enum arg_kind kind) {
  if (position == NO_ARG || kind == ARG_NONE) return 0;
  if (position == NEXT_ARG) position = ++kinds->next_position;
  else kinds->named = 1;
  if (position > NL_ARGMAX) return __rt_fail(EINVAL);
  kinds->of[position] = kind;
  if (position > kinds->highest) kinds->highest = position;
  return 0;
}

// The first pass over a format with positions: what kind each argument has.
static int scan_kinds(const char *format, struct arg_kinds *kinds) {
  struct directive d;
  while ((format = strchr(format, '%')) != NULL) {
    format = __rt_parse_directive(format + 1, &d);
    if (!format) return __rt_fail(EOVERFLOW);
    if (note_kind(kinds, d.width_arg, ARG_INT) < 0) return -1;
    if (note_kind(kinds, d.precision_arg, ARG_INT) < 0) return -1;
    if (note_kind(kinds, d.value_arg, kind_of(&d)) < 0) return -1;
  }
  return 0;
}

// Reads all arguments of a format with positions.
static int collect_positional(struct format *f) {
  struct arg_kinds *kinds = calloc(1, sizeof *kinds);
  int result = kinds ? scan_kinds(f->text, kinds) : -1;
  if (result == 0 && kinds->named) {
    f->positional = malloc((size_t)kinds->highest * sizeof *f->positional);
    if (!f->positional) result = -1;
    // A position that no directive uses is taken to be an int.
    for (int i = 0; i < kinds->highest && result == 0; i++) {
      next_value(f, kinds->of[i + 1] == ARG_NONE ? ARG_INT : kinds->of[i + 1], &f->positional[i]);
    }
  }
  free(kinds);
  return result;
}

// Replaces '*' by its arguments.
static void resolve_stars(struct format *f, struct directive *d) {
  if (d->width_arg != NO_ARG) {
    // Which side is padded is no branch, as it may depend on the input.
    int width = take_int(f, d->width_arg);
    if (width == INT_MIN) {
      __rt_format_fail(f, EOVERFLOW);
      return;
    }
    d->flags |= width < 0 ? LEFT : 0;
    d->width = width < 0 ? -width : width;
  }
  if (d->precision_arg != NO_ARG) {
    int precision = take_int(f, d->precision_arg);
    d->precision = precision < 0 ? -1 : precision;
  }
}

static void convert(struct format *f, struct directive *d) {
  struct format_value storage;
  const struct format_value *value;
  resolve_stars(f, d);
  value = take(f, d->value_arg, kind_of(d), &storage);
  if (!f->failed) __rt_format_convert(f, d, value);
}

int __rt_format(struct sink *sink, const char *format, const wchar_t *wide, va_list args) {
  struct format f = {.sink = sink, .text = format, .wide_text = wide};
  struct directive d;
  va_copy(f.args, args);
  if (strchr(format, '$') && collect_positional(&f) < 0) f.failed = 1;
  while (!f.failed) {
    const char *percent = strchr(format, '%');
    size_t n = percent ? (size_t)(percent - format) : strlen(format);
    if (n > 0) __rt_format_literal(&f, format, n);
    if (!percent) break;
    format = __rt_parse_directive(percent + 1, &d);
    if (format) {
      convert(&f, &d);
    } else {
      __rt_format_fail(&f, EOVERFLOW);
    }
  }
  va_end(f.args);
  free(f.positional);
  return f.failed ? -1 : (int)f.count;
}
