// Streams: the standard three, the list of open ones, their buffers, and flushing. Transfers are in stream_read.c and
// stream_write.c, opening in fopen.c, positions in seek.c.

#include "rt.h"

// ---- Devices

static long descriptor_read(struct stream *stream, char *buf, size_t n) {
  return __rt_read(stream->pub._fileno, buf, n);
}

static long descriptor_write(struct stream *stream, const char *buf, size_t n) {
  return __rt_write(stream->pub._fileno, buf, n);
}

static long descriptor_seek(struct stream *stream, long offset, int whence) {
  return __sp_lseek(stream->pub._fileno, offset, whence);
}

static long descriptor_close(struct stream *stream) { return __sp_close(stream->pub._fileno); }

const struct device __rt_descriptor_device = {descriptor_read, descriptor_write, descriptor_seek, descriptor_close};

int __rt_is_output(const struct stream *stream) {
  if (stream->access & RT_DROPPED) return 1;
  return stream->device == &__rt_descriptor_device && !__sp_keeps(stream->pub._fileno);
}

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

// glibc's choice, which shows in what a program has written when it dies: the device's block size.
static size_t choose_buffering(struct stream *stream) {
  struct stat status;
  if (stream->device != &__rt_descriptor_device || __sp_fstat(stream->pub._fileno, &status) < 0) return BUFSIZ;
  if (stream->buffering == RT_UNDECIDED && S_ISCHR(status.st_mode) && __sp_isatty(stream->pub._fileno) == 1) {
    stream->buffering = _IOLBF;
  }
#ifdef RT_FOLLOWED
  // Nobody reads ahead of what is made up byte by byte.
  if (__sp_random(stream->pub._fileno)) stream->buffering = _IONBF;
#endif
  return status.st_blksize > 0 && status.st_blksize < BUFSIZ ? (size_t)status.st_blksize : BUFSIZ;
}

void __rt_ensure_buffer(struct stream *stream) {
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

// ---- Flushing

int __rt_settle(struct stream *stream) {
  if (stream->phase == RT_WRITING && __rt_write_buffer(stream) < 0) return -1;
  if (stream->phase == RT_READING && __rt_unread(stream) > 0) {
    long moved = stream->device->seek(stream, -(long)__rt_unread(stream), SEEK_CUR);
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
    if (stream->phase == RT_WRITING && __rt_write_buffer(stream) < 0) result = -1;
  }
  return result;
}

int __rt_orient(struct stream *stream, int mode) {
  if (stream->pub._mode == 0) stream->pub._mode = mode;
  return stream->pub._mode == mode;
}
