// scanf from streams and strings under the names of its three dialects.

#include "rt.h"

struct stream_source {
  struct scan_source source;
  struct stream *stream;
};

static int get_from_stream(struct scan_source *source) { return __rt_getc(((struct stream_source *)source)->stream); }

static void unget_to_stream(struct scan_source *source, int c) {
  __rt_ungetc(((struct stream_source *)source)->stream, c);
}

static int scan_stream(FILE *file, enum scan_dialect dialect, const char *format, va_list args) {
  struct stream_source source = {{get_from_stream, unget_to_stream, 0, NULL}, __rt_stream(file)};
  if (!__rt_orient(source.stream, -1)) return EOF;
  return __rt_scan(&source.source, dialect, format, NULL, args);
}

struct string_source {
  struct scan_source source;
  const char *text;
};

static int get_from_string(struct scan_source *source) {
  struct string_source *string = (struct string_source *)source;
  return *string->text == '\0' ? EOF : (unsigned char)*string->text++;
}

static void unget_to_string(struct scan_source *source, int c) {
  (void)c;
  ((struct string_source *)source)->text--;
}

static int scan_string(const char *text, enum scan_dialect dialect, const char *format, va_list args) {
  struct string_source source = {{get_from_string, unget_to_string, 0, NULL}, text};
  source.source.string = &source.text;
  return __rt_scan(&source.source, dialect, format, NULL, args);
}

// The header redirects the plain names, so each function is given its symbol here.
#define NAMED(function, symbol) function __asm__(symbol);

#define SCANF_FAMILY(prefix, id, dialect)                                                                            \
  NAMED(int scanf_##id(const char *format, ...), prefix "scanf")                                                     \
  NAMED(int fscanf_##id(FILE *file, const char *format, ...), prefix "fscanf")                                       \
  NAMED(int sscanf_##id(const char *text, const char *format, ...), prefix "sscanf")                                 \
  NAMED(int vscanf_##id(const char *format, va_list args), prefix "vscanf")                                          \
  NAMED(int vfscanf_##id(FILE *file, const char *format, va_list args), prefix "vfscanf")                            \
  NAMED(int vsscanf_##id(const char *text, const char *format, va_list args), prefix "vsscanf")                      \
  int scanf_##id(const char *format, ...) { RT_WITH_ARGS(format, scan_stream(stdin, dialect, format, args)); }       \
  int fscanf_##id(FILE *file, const char *format, ...) {                                                             \
    RT_WITH_ARGS(format, scan_stream(file, dialect, format, args));                                                  \
  }                                                                                                                  \
  int sscanf_##id(const char *text, const char *format, ...) {                                                       \
    RT_WITH_ARGS(format, scan_string(text, dialect, format, args));                                                  \
  }                                                                                                                  \
  int vscanf_##id(const char *format, va_list args) { return scan_stream(stdin, dialect, format, args); }            \
  int vfscanf_##id(FILE *file, const char *format, va_list args) { return scan_stream(file, dialect, format, args); } \
  int vsscanf_##id(const char *text, const char *format, va_list args) {                                             \
    return scan_string(text, dialect, format, args);                                                                 \
  }

SCANF_FAMILY("", gnu, RT_SCAN_GNU)
SCANF_FAMILY("__isoc99_", c99, RT_SCAN_C99)
SCANF_FAMILY("__isoc23_", c2x, RT_SCAN_C2X)
