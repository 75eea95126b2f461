// printf to streams and descriptors, with the fortified names. Strings are in sprintf.c, wide streams in wprintf.c.

#include "rt.h"

struct stream_sink {
  struct sink sink;
  struct stream *stream;
};

static int put(struct sink *sink, const char *text, size_t n) {
  return n == 0 || __rt_put(((struct stream_sink *)sink)->stream, text, n) == n ? 0 : -1;
}

int __rt_vfprintf(FILE *file, const char *format, va_list args) {
  struct stream *stream = __rt_stream(file);
  RT_MUTED_IF(__rt_is_output(stream), RT_OUTPUT);
  struct stream_sink sink = {{.put = put}, stream};
  int buffering = stream->buffering;
  int result;
  if (!__rt_orient(stream, -1)) return -1;
  if (!(stream->access & RT_WRITABLE)) {
    stream->pub._flags |= _IO_ERR_SEEN;
    return __rt_fail(EBADF);
  }
  // An unbuffered stream gets the whole text in one write.
  if (buffering == _IONBF) stream->buffering = _IOFBF;
  result = __rt_format(&sink.sink, format, NULL, args);
  stream->buffering = buffering == RT_UNDECIDED ? stream->buffering : buffering;
  if (buffering == _IONBF && __rt_flush(stream) < 0) result = -1;
  return result;
}

int vfprintf(FILE *file, const char *format, va_list args) { return __rt_vfprintf(file, format, args); }
int vprintf(const char *format, va_list args) { return __rt_vfprintf(stdout, format, args); }

RT_ALIAS(_IO_vfprintf, vfprintf);

int fprintf(FILE *file, const char *format, ...) { RT_WITH_ARGS(format, __rt_vfprintf(file, format, args)); }
int printf(const char *format, ...) { RT_WITH_ARGS(format, __rt_vfprintf(stdout, format, args)); }

RT_ALIAS(_IO_fprintf, fprintf);
RT_ALIAS(_IO_printf, printf);

// ---- Descriptors

struct descriptor_sink {
  struct sink sink;
  int fd;
};

static int put_descriptor(struct sink *sink, const char *text, size_t n) {
  while (n > 0) {
    long written = __rt_result(__rt_write(((struct descriptor_sink *)sink)->fd, text, n));
    if (written <= 0) return -1;
    text += written;
    n -= (size_t)written;
  }
  return 0;
}

int vdprintf(int fd, const char *format, va_list args) {
  RT_MUTED_IF(!__sp_keeps(fd), RT_OUTPUT);
  struct descriptor_sink sink = {{.put = put_descriptor}, fd};
  return __rt_format(&sink.sink, format, NULL, args);
}

int dprintf(int fd, const char *format, ...) { RT_WITH_ARGS(format, vdprintf(fd, format, args)); }

// ---- Fortified. `level` would only forbid %n in writable formats.

int __vfprintf_chk(FILE *file, int level, const char *format, va_list args) {
  (void)level;
  return __rt_vfprintf(file, format, args);
}

int __vprintf_chk(int level, const char *format, va_list args) {
  (void)level;
  return __rt_vfprintf(stdout, format, args);
}

int __vdprintf_chk(int fd, int level, const char *format, va_list args) {
  (void)level;
  return vdprintf(fd, format, args);
}

int __fprintf_chk(FILE *file, int level, const char *format, ...) {
  RT_WITH_ARGS(format, __vfprintf_chk(file, level, format, args));
}

int __printf_chk(int level, const char *format, ...) { RT_WITH_ARGS(format, __vprintf_chk(level, format, args)); }

int __dprintf_chk(int fd, int level, const char *format, ...) {
  RT_WITH_ARGS(format, __vdprintf_chk(fd, level, format, args));
}
