// printf into strings, with the fortified names.

#include "rt.h"

struct string_sink {
  struct sink sink;
  char *buf;
  size_t room;  // bytes that still fit, the terminator not counted
};

// How many of `n` bytes there is room for: no branch, as both may depend on the input.
static size_t fitting(const struct string_sink *string, size_t n) { return n < string->room ? n : string->room; }

static int put(struct sink *sink, const char *text, size_t n) {
  struct string_sink *string = (struct string_sink *)sink;
  n = fitting(string, n);
  memcpy(string->buf, text, n);
  string->buf += n;
  string->room -= n;
  return 0;
}

static void fill(struct sink *sink, char c, size_t n) {
  struct string_sink *string = (struct string_sink *)sink;
  n = fitting(string, n);
  memset(string->buf, c, n);
  string->buf += n;
  string->room -= n;
}

int __rt_vsnprintf(char *buf, size_t cap, const char *format, va_list args) {
  struct string_sink sink = {{.put = put, .fill = fill}, buf, cap > 0 ? cap - 1 : 0};
  int result = __rt_format(&sink.sink, format, NULL, args);
  if (cap > 0) memset(sink.buf, 0, 1);
  return result;
}

static int format_checked(char *buf, size_t capacity, const char *format, va_list args) {
  int length;
  if (capacity == 0) __rt_chk_fail();
  length = __rt_vsnprintf(buf, capacity, format, args);
  if (length >= 0 && (size_t)length >= capacity) __rt_chk_fail();
  return length;
}

// The string's memory comes from malloc: measured first, then written.
static int format_allocated(char **out, const char *format, va_list args) {
  va_list again;
  int length;
  va_copy(again, args);
  length = __rt_vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return -1;
  *out = malloc((size_t)length + 1);
  return *out ? __rt_vsnprintf(*out, (size_t)length + 1, format, args) : -1;
}

int vsnprintf(char *buf, size_t cap, const char *format, va_list args) {
  return __rt_vsnprintf(buf, cap, format, args);
}

int vsprintf(char *buf, const char *format, va_list args) { return __rt_vsnprintf(buf, SIZE_MAX, format, args); }
int vasprintf(char **out, const char *format, va_list args) { return format_allocated(out, format, args); }

int snprintf(char *buf, size_t cap, const char *format, ...) {
  RT_WITH_ARGS(format, __rt_vsnprintf(buf, cap, format, args));
}

int sprintf(char *buf, const char *format, ...) { RT_WITH_ARGS(format, __rt_vsnprintf(buf, SIZE_MAX, format, args)); }
int asprintf(char **out, const char *format, ...) { RT_WITH_ARGS(format, format_allocated(out, format, args)); }

RT_ALIAS(_IO_sprintf, sprintf);
RT_ALIAS(__asprintf, asprintf);
RT_ALIAS(__snprintf, snprintf);
RT_ALIAS(__vsnprintf, vsnprintf);

// ---- Fortified. `level` would only forbid %n in writable formats.

int __vsprintf_chk(char *buf, int level, size_t capacity, const char *format, va_list args) {
  (void)level;
  return format_checked(buf, capacity, format, args);
}

int __vsnprintf_chk(char *buf, size_t cap, int level, size_t capacity, const char *format, va_list args) {
  (void)level;
  if (capacity < cap) __rt_chk_fail();
  return __rt_vsnprintf(buf, cap, format, args);
}

int __vasprintf_chk(char **out, int level, const char *format, va_list args) {
  (void)level;
  return format_allocated(out, format, args);
}

int __sprintf_chk(char *buf, int level, size_t capacity, const char *format, ...) {
  RT_WITH_ARGS(format, __vsprintf_chk(buf, level, capacity, format, args));
}

int __snprintf_chk(char *buf, size_t cap, int level, size_t capacity, const char *format, ...) {
  RT_WITH_ARGS(format, __vsnprintf_chk(buf, cap, level, capacity, format, args));
}

int __asprintf_chk(char **out, int level, const char *format, ...) {
  RT_WITH_ARGS(format, __vasprintf_chk(out, level, format, args));
}
