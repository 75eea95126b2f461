// wscanf from streams and wide strings, under the names of its three dialects.

#include "rt.h"

static int scan(struct scan_source *source, enum scan_dialect dialect, const wchar_t *format, va_list args) {
  char *shadow = __rt_shadow(format);
  int result = shadow ? __rt_scan(source, dialect, shadow, format, args) : EOF;
  free(shadow);
  return result;
}

struct stream_source {
  struct scan_source source;
  FILE *file;
};

static int get_from_stream(struct scan_source *source) {
  wint_t c = fgetwc(((struct stream_source *)source)->file);
  return c == WEOF ? EOF : (int)c;
}

static void unget_to_stream(struct scan_source *source, int c) {
  ungetwc((wint_t)c, ((struct stream_source *)source)->file);
}

static int scan_stream(FILE *file, enum scan_dialect dialect, const wchar_t *format, va_list args) {
  struct stream_source source = {{get_from_stream, unget_to_stream, 1, NULL}, file};
  return scan(&source.source, dialect, format, args);
}

struct string_source {
  struct scan_source source;
  const wchar_t *text;
};

static int get_from_string(struct scan_source *source) {
  struct string_source *string = (struct string_source *)source;
  return *string->text == L'\0' ? EOF : (int)*string->text++;
}

static void unget_to_string(struct scan_source *source, int c) {
  (void)c;
  ((struct string_source *)source)->text--;
}

static int scan_string(const wchar_t *text, enum scan_dialect dialect, const wchar_t *format, va_list args) {
  struct string_source source = {{get_from_string, unget_to_string, 1, NULL}, text};
  return scan(&source.source, dialect, format, args);
}

// The header redirects the plain names, so each function is given its symbol here.
#define NAMED(function, symbol) function __asm__(symbol);

#define WSCANF_FAMILY(prefix, id, dialect)                                                                    \
  NAMED(int wscanf_##id(const wchar_t *format, ...), prefix "wscanf")                                         \
  NAMED(int fwscanf_##id(FILE *file, const wchar_t *format, ...), prefix "fwscanf")                           \
  NAMED(int swscanf_##id(const wchar_t *text, const wchar_t *format, ...), prefix "swscanf")                  \
  NAMED(int vwscanf_##id(const wchar_t *format, va_list args), prefix "vwscanf")                              \
  NAMED(int vfwscanf_##id(FILE *file, const wchar_t *format, va_list args), prefix "vfwscanf")                \
  NAMED(int vswscanf_##id(const wchar_t *text, const wchar_t *format, va_list args), prefix "vswscanf")       \
  int wscanf_##id(const wchar_t *format, ...) { RT_WITH_ARGS(format, scan_stream(stdin, dialect, format, args)); } \
  int fwscanf_##id(FILE *file, const wchar_t *format, ...) {                                                  \
    RT_WITH_ARGS(format, scan_stream(file, dialect, format, args));                                           \
  }                                                                                                           \
  int swscanf_##id(const wchar_t *text, const wchar_t *format, ...) {                                         \
    RT_WITH_ARGS(format, scan_string(text, dialect, format, args));                                           \
  }                                                                                                           \
  int vwscanf_##id(const wchar_t *format, va_list args) { return scan_stream(stdin, dialect, format, args); } \
  int vfwscanf_##id(FILE *file, const wchar_t *format, va_list args) {                                        \
    return scan_stream(file, dialect, format, args);                                                          \
  }                                                                                                           \
  int vswscanf_##id(const wchar_t *text, const wchar_t *format, va_list args) {                               \
    return scan_string(text, dialect, format, args);                                                          \
  }

WSCANF_FAMILY("", gnu, RT_SCAN_GNU)
WSCANF_FAMILY("__isoc99_", c99, RT_SCAN_C99)
WSCANF_FAMILY("__isoc23_", c2x, RT_SCAN_C2X)
