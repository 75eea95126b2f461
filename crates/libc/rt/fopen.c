// Opening, reopening and closing streams, and the choice of their buffers.

#include "rt.h"

#include <fcntl.h>

int __rt_parse_mode(const char *mode, unsigned *access) {
  int flags;
  switch (mode[0]) {
    case 'r':
      flags = O_RDONLY;
      *access = RT_READABLE;
      break;
    case 'w':
      flags = O_WRONLY | O_CREAT | O_TRUNC;
      *access = RT_WRITABLE;
      break;
    case 'a':
      flags = O_WRONLY | O_CREAT | O_APPEND;
      *access = RT_WRITABLE | RT_APPENDING;
      break;
    default:
      return __rt_fail(EINVAL);
  }
  for (mode++; *mode != '\0' && *mode != ','; mode++) {
    if (*mode == '+') {
      flags = (flags & ~O_ACCMODE) | O_RDWR;
      *access |= RT_READABLE | RT_WRITABLE;
    } else if (*mode == 'x') {
      flags |= O_EXCL;
    } else if (*mode == 'e') {
      flags |= O_CLOEXEC;
    }
  }
  return flags;
}

FILE *fopen(const char *path, const char *mode) {
  unsigned access;
  struct stream *stream;
  long fd;
  int flags = __rt_parse_mode(mode, &access);
  if (flags < 0) return NULL;
  fd = __rt_result(__sp_open(path, flags, 0666));
  if (fd < 0) return NULL;
  stream = __rt_stream_over((int)fd, access);
  if (!stream) {
    __sp_close((int)fd);
    return NULL;
  }
  if (access & RT_APPENDING) __sp_lseek((int)fd, 0, SEEK_END);
  return &stream->pub;
}

FILE *fdopen(int fd, const char *mode) {
  unsigned access;
  struct stat status;
  struct stream *stream;
  if (__rt_parse_mode(mode, &access) < 0 || __rt_result(__sp_fstat(fd, &status)) < 0) return NULL;
  stream = __rt_stream_over(fd, access);
  return stream ? &stream->pub : NULL;
}

// Without a path, the stream keeps its file and takes the new mode.
static long reopen(struct stream *stream, const char *path, int flags) {
  if (!path) return stream->pub._fileno;
  stream->device->close(stream);
  stream->device = &__rt_descriptor_device;
  return __sp_open(path, flags, 0666);
}

FILE *freopen(const char *path, const char *mode, FILE *file) {
  struct stream *stream = __rt_stream(file);
  unsigned access;
  long fd;
  int flags = __rt_parse_mode(mode, &access);
  if (flags < 0) {
    __rt_close(stream);
    errno = EINVAL;
    return NULL;
  }
  __rt_flush(stream);
  __rt_free_buffers(stream);
  fd = reopen(stream, path, flags);
  if (fd < 0) {
    stream->pub._fileno = -1;
    __rt_close(stream);
    errno = (int)-fd;
    return NULL;
  }
  stream->pub._fileno = (int)fd;
  stream->pub._flags &= ~(_IO_EOF_SEEN | _IO_ERR_SEEN);
  stream->pub._mode = 0;
  stream->access = access;
  if (stream->buffering != _IONBF) stream->buffering = RT_UNDECIDED;
  return file;
}

RT_ALIAS(fopen64, fopen);
RT_ALIAS(freopen64, freopen);
RT_ALIAS(_IO_fopen, fopen);
RT_ALIAS(_IO_fdopen, fdopen);

int fclose(FILE *file) { return __rt_close(__rt_stream(file)); }

RT_ALIAS(_IO_fclose, fclose);

int fflush(FILE *file) { return file ? __rt_flush(__rt_stream(file)) : __rt_flush_all(); }

RT_ALIAS(fflush_unlocked, fflush);
RT_ALIAS(_IO_fflush, fflush);

// ---- Buffers

int setvbuf(FILE *file, char *buf, int mode, size_t size) {
  struct stream *stream = __rt_stream(file);
  if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF) return EOF;
  if (stream->phase == RT_WRITING && __rt_flush(stream) < 0) return EOF;
  if (buf && size == 0) mode = _IONBF;
  stream->buffering = mode;
  // A given size without a buffer is ignored, as glibc does.
  if (mode != _IONBF && buf && stream->phase == RT_IDLE) {
    __rt_free_buffers(stream);
    stream->buffer = buf;
    stream->capacity = size;
  }
  return 0;
}

void setbuffer(FILE *file, char *buf, size_t size) { setvbuf(file, buf, buf ? _IOFBF : _IONBF, size); }
void setbuf(FILE *file, char *buf) { setvbuf(file, buf, buf ? _IOFBF : _IONBF, BUFSIZ); }
void setlinebuf(FILE *file) { setvbuf(file, NULL, _IOLBF, 0); }

RT_ALIAS(_IO_setvbuf, setvbuf);
