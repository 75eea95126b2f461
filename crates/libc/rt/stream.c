// Streams: the standard three, the list of open ones, buffering, and the transfers that all of <stdio.h> is built from.
// Opening is in fopen.c; positions in seek.c.

#include "rt.h"

// ---- Devices

static long descriptor_read(struct stream *stream, char *buf, size_t n) {
  return __sp_read(stream->pub._fileno, buf, n);
}

static long descriptor_write(struct stream *stream, const char *buf, size_t n) {
  return __sp_write(stream->pub._fileno, buf, n);
}

static long descriptor_seek(struct stream *stream, long offset, int whence) {
  return __sp_lseek(stream->pub._fileno, offset, whence);
}

static long descriptor_close(struct stream *stream) { return __sp_close(stream->pub._fileno); }

const struct device __rt_descriptor_device = {descriptor_read, descriptor_write, descriptor_seek, descriptor_close};

// ---- The open streams

#define STANDARD_STREAM(fd, access_bits, mode, following)                                                       \
  {                                                                                                             \
    .pub = {._fileno = fd}, .device = &__rt_descriptor_device, .access = access_bits, .buffering = mode,        \
    .is_static = 1, .next = following                                                                           \
  }

static struct stream standard[3] = {
    STANDARD_STREAM(0, RT_READABLE, RT_UNDECIDED, NULL),
    STANDARD_STREAM(1, RT_WRITABLE, RT_UNDECIDED, &standard[0]),
    STANDARD_STREAM(2, RT_WRITABLE, _IONBF, &standard[1]),
};

// Not from the heap: a program's view of its heap does not depend on whether it prints.
static char standard_buffers[3][BUFSIZ];

FILE *stdin = &standard[0].pub;
FILE *stdout = &standard[1].pub;
FILE *stderr = &standard[2].pub;

static struct stream *open_streams = &standard[2];

struct stream *__rt_stream_new(const struct device *device, unsigned access) {
  struct stream *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  stream->pub._fileno = -1;
  stream->device = device;
  stream->access = access;
  stream->buffering = RT_UNDECIDED;
  stream->next = open_streams;
  open_streams = stream;
  return stream;
}

struct stream *__rt_stream_over(int fd, unsigned access) {
  struct stream *stream = __rt_stream_new(&__rt_descriptor_device, access);
  if (stream) stream->pub._fileno = fd;
  return stream;
}

static void remove_from_list(struct stream *stream) {
  struct stream **link = &open_streams;
  while (*link && *link != stream) link = &(*link)->next;
  if (*link) *link = stream->next;
}

void __rt_free_buffers(struct stream *stream) {
  if (stream->owns_buffer) free(stream->buffer);
  free(stream->pushed);
  stream->buffer = stream->pushed = NULL;
  stream->owns_buffer = 0;
  stream->capacity = stream->position = stream->end = stream->n_pushed = stream->pushed_capacity = 0;
  stream->phase = RT_IDLE;
}

int __rt_close(struct stream *stream) {
  int result = __rt_flush(stream);
  long closed = stream->device->close(stream);
  remove_from_list(stream);
  __rt_free_buffers(stream);
  if (!stream->is_static) free(stream);
  return closed < 0 ? __rt_fail((int)-closed) : result;
}

// ---- Buffers

static int set_flag(struct stream *stream, int flag, int error) {
  stream->pub._flags |= flag;
  if (error) errno = error;
  return -1;
}

// glibc's choice, which shows in what a program has written when it dies: the device's block size.
static size_t choose_buffering(struct stream *stream) {
  struct stat status;
  if (stream->device != &__rt_descriptor_device || __sp_fstat(stream->pub._fileno, &status) < 0) return BUFSIZ;
  if (stream->buffering == RT_UNDECIDED && S_ISCHR(status.st_mode) && __sp_isatty(stream->pub._fileno) == 1) {
    stream->buffering = _IOLBF;
  }
  return status.st_blksize > 0 && status.st_blksize < BUFSIZ ? (size_t)status.st_blksize : BUFSIZ;
}

static void ensure_buffer(struct stream *stream) {
  if (stream->buffer) return;
  stream->capacity = choose_buffering(stream);
  if (stream->buffering == RT_UNDECIDED) stream->buffering = _IOFBF;
  if (stream->is_static) {
    stream->buffer = standard_buffers[stream - standard];
    return;
  }
  stream->buffer = malloc(stream->capacity);
  stream->owns_buffer = stream->buffer != NULL;
  if (!stream->buffer) {
    stream->buffer = stream->pub._shortbuf;
    stream->capacity = sizeof stream->pub._shortbuf;
  }
}

// ---- Writing

// The number of bytes that the device took.
static size_t write_through(struct stream *stream, const char *text, size_t n) {
  size_t done = 0;
  while (done < n) {
    long written = stream->device->write(stream, text + done, n - done);
    if (written <= 0) {
      set_flag(stream, _IO_ERR_SEEN, (int)-written);
      break;
    }
    done += (size_t)written;
  }
  return done;
}

static int write_buffer(struct stream *stream) {
  size_t done = write_through(stream, stream->buffer, stream->position);
  size_t left = stream->position - done;
  if (left > 0) memmove(stream->buffer, stream->buffer + done, left);
  stream->position = left;
  return left > 0 ? -1 : 0;
}

static void flush_at_exit(void) { __rt_flush_all(); }

static int begin_writing(struct stream *stream) {
  if (stream->phase == RT_WRITING) return 0;
  if (!(stream->access & RT_WRITABLE)) return set_flag(stream, _IO_ERR_SEEN, EBADF);
  if (__rt_settle(stream) < 0) return set_flag(stream, _IO_ERR_SEEN, 0);
  ensure_buffer(stream);
  stream->phase = RT_WRITING;
  __rt_exit_flush = flush_at_exit;
  return 0;
}

static size_t store(struct stream *stream, const char *text, size_t n) {
  size_t done = 0;
  while (done < n) {
    size_t room = stream->capacity - stream->position;
    size_t part = n - done < room ? n - done : room;
    memcpy(stream->buffer + stream->position, text + done, part);
    stream->position += part;
    done += part;
    if (done == n) break;
    if (write_buffer(stream) < 0) return done;
    if (n - done >= stream->capacity) {
      size_t whole = (n - done) - (n - done) % stream->capacity;
      size_t written = write_through(stream, text + done, whole);
      done += written;
      if (written < whole) return done;
    }
  }
  return done;
}

// Length of the text's lines that are complete.
static size_t whole_lines(const char *text, size_t n) {
  while (n > 0 && text[n - 1] != '\n') n--;
  return n;
}

size_t __rt_put(struct stream *stream, const char *text, size_t n) {
  size_t must_leave, done;
  if (begin_writing(stream) < 0) return 0;
  if (stream->buffering == _IOFBF) return store(stream, text, n);
  must_leave = stream->buffering == _IONBF ? n : whole_lines(text, n);
  done = store(stream, text, must_leave);
  if (done < must_leave || (must_leave > 0 && write_buffer(stream) < 0)) return done;
  return done + store(stream, text + done, n - done);
}

int __rt_putc(struct stream *stream, int c) {
  char byte = (char)c;
  if (stream->phase == RT_WRITING && stream->buffering == _IOFBF && stream->position < stream->capacity) {
    stream->buffer[stream->position++] = byte;
  } else if (__rt_put(stream, &byte, 1) != 1) {
    return EOF;
  }
  return (unsigned char)byte;
}

// ---- Reading

static size_t unread(const struct stream *stream) { return stream->end - stream->position + stream->n_pushed; }

static int begin_reading(struct stream *stream) {
  if (!(stream->access & RT_READABLE)) return set_flag(stream, _IO_ERR_SEEN, EBADF);
  if (stream->pub._flags & _IO_EOF_SEEN) return -1;
  if (stream->phase == RT_WRITING && __rt_settle(stream) < 0) return -1;
  ensure_buffer(stream);
  stream->phase = RT_READING;
  // Someone at a terminal wants to see the prompt.
  if (stream->buffering != _IOFBF && standard[1].buffering == _IOLBF) __rt_flush(&standard[1]);
  return 0;
}

// Reads from the device; 0 at the end or after an error.
static size_t transfer(struct stream *stream, char *buf, size_t n) {
  long result = stream->device->read(stream, buf, n);
  if (result > 0) return (size_t)result;
  set_flag(stream, result == 0 ? _IO_EOF_SEEN : _IO_ERR_SEEN, (int)-result);
  return 0;
}

static size_t fill(struct stream *stream) {
  if (begin_reading(stream) < 0) return 0;
  stream->position = 0;
  stream->end = 0;
  stream->end = transfer(stream, stream->buffer, stream->buffering == _IONBF ? 1 : stream->capacity);
  return stream->end;
}

size_t __rt_peek(struct stream *stream, const char **bytes) {
  if (stream->n_pushed > 0) {
    *bytes = &stream->pushed[stream->n_pushed - 1];
    return 1;
  }
  if (stream->phase != RT_READING || stream->position == stream->end) {
    if (fill(stream) == 0) return 0;
  }
  *bytes = stream->buffer + stream->position;
  return stream->end - stream->position;
}

void __rt_skip(struct stream *stream, size_t n) {
  if (stream->n_pushed > 0) {
    stream->n_pushed -= n;
  } else {
    stream->position += n;
  }
}

int __rt_getc(struct stream *stream) {
  const char *byte;
  int c;
  if (__rt_peek(stream, &byte) == 0) return EOF;
  c = (unsigned char)*byte;
  __rt_skip(stream, 1);
  return c;
}

size_t __rt_get(struct stream *stream, char *buf, size_t n) {
  size_t done = 0;
  while (done < n) {
    const char *bytes;
    size_t part;
    int empty = stream->n_pushed == 0 && (stream->phase != RT_READING || stream->position == stream->end);
    if (empty && stream->buffer && stream->buffering != _IONBF && n - done >= stream->capacity) {
      // Whole blocks need no stop in the buffer.
      if (begin_reading(stream) < 0) break;
      part = transfer(stream, buf + done, (n - done) - (n - done) % stream->capacity);
      stream->position = stream->end = 0;
    } else {
      part = __rt_peek(stream, &bytes);
      if (part > n - done) part = n - done;
      if (part > 0) {
        memcpy(buf + done, bytes, part);
        __rt_skip(stream, part);
      }
    }
    if (part == 0) break;
    done += part;
  }
  return done;
}

static int push(struct stream *stream, char byte) {
  if (stream->n_pushed == stream->pushed_capacity) {
    size_t capacity = stream->pushed_capacity * 2 + 8;
    char *grown = realloc(stream->pushed, capacity);
    if (!grown) return EOF;
    stream->pushed = grown;
    stream->pushed_capacity = capacity;
  }
  stream->pushed[stream->n_pushed++] = byte;
  return 0;
}

int __rt_ungetc(struct stream *stream, int c) {
  char byte = (char)c;
  if (c == EOF || !(stream->access & RT_READABLE)) return EOF;
  if (stream->phase == RT_WRITING && __rt_settle(stream) < 0) return EOF;
  if (stream->n_pushed == 0 && stream->position > 0 && stream->buffer[stream->position - 1] == byte) {
    stream->position--;
  } else if (push(stream, byte) < 0) {
    return EOF;
  }
  stream->phase = RT_READING;
  stream->pub._flags &= ~_IO_EOF_SEEN;
  return (unsigned char)byte;
}

// ---- Flushing

int __rt_settle(struct stream *stream) {
  if (stream->phase == RT_WRITING && write_buffer(stream) < 0) return -1;
  if (stream->phase == RT_READING && unread(stream) > 0) {
    long moved = stream->device->seek(stream, -(long)unread(stream), SEEK_CUR);
    if (moved < 0) return __rt_fail((int)-moved);
  }
  stream->phase = RT_IDLE;
  stream->position = stream->end = stream->n_pushed = 0;
  return 0;
}

int __rt_flush(struct stream *stream) {
  int saved = errno;
  if (__rt_settle(stream) == 0) return 0;
  // What was read ahead from a pipe cannot be given back, and stays.
  if (stream->phase != RT_READING || errno != ESPIPE) return -1;
  errno = saved;
  return 0;
}

int __rt_flush_all(void) {
  int result = 0;
  for (struct stream *stream = open_streams; stream; stream = stream->next) {
    if (stream->phase == RT_WRITING && write_buffer(stream) < 0) result = -1;
  }
  return result;
}

int __rt_orient(struct stream *stream, int mode) {
  if (stream->pub._mode == 0) stream->pub._mode = mode;
  return stream->pub._mode == mode;
}
