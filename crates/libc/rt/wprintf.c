// wprintf to streams and wide strings. The formatter works on a narrow shadow of the format, in which every character
// that is not ASCII is replaced; the literal text is taken from the original.

#include "rt.h"

// The shadow of a wide format; freed by the caller.
char *__rt_shadow(const wchar_t *format) {
  size_t n = 0;
  char *shadow;
  while (format[n] != L'\0') n++;
  shadow = malloc(n + 1);
  if (!shadow) return NULL;
  for (size_t i = 0; i <= n; i++) {
    int c = __rt_narrow((wint_t)format[i]);
    shadow[i] = (char)(c < 0 ? '?' : c);
  }
  return shadow;
}

static int format_wide(struct sink *sink, const wchar_t *format, va_list args) {
  char *shadow = __rt_shadow(format);
  int result = shadow ? __rt_format(sink, shadow, format, args) : -1;
  free(shadow);
  return result;
}

// ---- Streams

struct stream_sink {
  struct sink sink;
  FILE *file;
};

static int put_to_stream(struct sink *sink, const wchar_t *text, size_t n) {
  FILE *file = ((struct stream_sink *)sink)->file;
  for (size_t i = 0; i < n; i++) {
    if (fputwc(text[i], file) == WEOF) return -1;
  }
  return 0;
}

static int format_to_stream(FILE *file, const wchar_t *format, va_list args) {
  RT_MUTED_IF(__rt_is_output(__rt_stream(file)), RT_OUTPUT);
  struct stream_sink sink = {{.put_wide = put_to_stream}, file};
  return __rt_orient(__rt_stream(file), 1) ? format_wide(&sink.sink, format, args) : -1;
}

int vfwprintf(FILE *restrict file, const wchar_t *restrict format, va_list args) {
  return format_to_stream(file, format, args);
}

int vwprintf(const wchar_t *restrict format, va_list args) { return format_to_stream(stdout, format, args); }

int fwprintf(FILE *restrict file, const wchar_t *restrict format, ...) {
  RT_WITH_ARGS(format, format_to_stream(file, format, args));
}

int wprintf(const wchar_t *restrict format, ...) { RT_WITH_ARGS(format, format_to_stream(stdout, format, args)); }

// ---- Strings

struct string_sink {
  struct sink sink;
  wchar_t *buf;
  size_t room;  // the terminator not counted
  int truncated;
};

static int put_to_string(struct sink *sink, const wchar_t *text, size_t n) {
  struct string_sink *string = (struct string_sink *)sink;
  if (n > string->room) {
    n = string->room;
    string->truncated = 1;
  }
  wmemcpy(string->buf, text, n);
  string->buf += n;
  string->room -= n;
  return 0;
}

// Unlike snprintf, fails when the text does not fit.
int vswprintf(wchar_t *restrict buf, size_t cap, const wchar_t *restrict format, va_list args) {
  struct string_sink sink = {{.put_wide = put_to_string}, buf, cap - 1, 0};
  int result;
  if (cap == 0) return -1;
  result = format_wide(&sink.sink, format, args);
  *sink.buf = L'\0';
  return sink.truncated ? -1 : result;
}

int swprintf(wchar_t *restrict buf, size_t cap, const wchar_t *restrict format, ...) {
  RT_WITH_ARGS(format, vswprintf(buf, cap, format, args));
}

// ---- Fortified

int __vswprintf_chk(wchar_t *buf, size_t cap, int level, size_t capacity, const wchar_t *format, va_list args) {
  (void)level;
  if (capacity < cap) __rt_chk_fail();
  return vswprintf(buf, cap, format, args);
}

int __swprintf_chk(wchar_t *buf, size_t cap, int level, size_t capacity, const wchar_t *format, ...) {
  RT_WITH_ARGS(format, __vswprintf_chk(buf, cap, level, capacity, format, args));
}

int __fwprintf_chk(FILE *file, int level, const wchar_t *format, ...) {
  (void)level;
  RT_WITH_ARGS(format, format_to_stream(file, format, args));
}

int __wprintf_chk(int level, const wchar_t *format, ...) {
  (void)level;
  RT_WITH_ARGS(format, format_to_stream(stdout, format, args));
}
