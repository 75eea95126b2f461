// Streams without a file: over a given buffer (fmemopen), over one that grows (open_memstream), and over a program's own
// functions (fopencookie).

#include "rt.h"

// Where a seek in `length` bytes leads, or a negative errno value.
static long target_of(long offset, int whence, size_t position, size_t length) {
  long base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long)position : (long)length;
  return base + offset < 0 ? -EINVAL : base + offset;
}

static FILE *open_stream(const struct device *device, unsigned access, void *cookie) {
  struct stream *stream = cookie ? __rt_stream_new(device, access) : NULL;
  if (!stream) {
    free(cookie);
    return NULL;
  }
  stream->cookie = cookie;
  return &stream->pub;
}

// ---- A buffer of fixed size

struct fixed {
  char *bytes;
  size_t size, length, position;
  int owned;
};

static long fixed_read(struct stream *stream, char *buf, size_t n) {
  struct fixed *fixed = stream->cookie;
  size_t left = fixed->position < fixed->length ? fixed->length - fixed->position : 0;
  if (n > left) n = left;
  memcpy(buf, fixed->bytes + fixed->position, n);
  fixed->position += n;
  return (long)n;
}

// Text is terminated as long as there is room.
static long fixed_write(struct stream *stream, const char *buf, size_t n) {
  struct fixed *fixed = stream->cookie;
  size_t terminator = n == 0 || buf[n - 1] != '\0';
  if (stream->access & RT_APPENDING) fixed->position = fixed->length;
  if (fixed->position + terminator >= fixed->size && fixed->position + n > fixed->size) return -ENOSPC;
  if (fixed->position + n > fixed->size) n = fixed->size - fixed->position - terminator;
  memcpy(fixed->bytes + fixed->position, buf, n);
  fixed->position += n;
  if (fixed->position > fixed->length) {
    fixed->length = fixed->position;
    if (terminator && fixed->length < fixed->size) fixed->bytes[fixed->length] = '\0';
  }
  return (long)n;
}

static long fixed_seek(struct stream *stream, long offset, int whence) {
  struct fixed *fixed = stream->cookie;
  long target = target_of(offset, whence, fixed->position, fixed->length);
  if (target < 0 || (size_t)target > fixed->size) return -EINVAL;
  fixed->position = (size_t)target;
  return target;
}

static long fixed_close(struct stream *stream) {
  struct fixed *fixed = stream->cookie;
  if (fixed->owned) free(fixed->bytes);
  free(fixed);
  return 0;
}

static const struct device fixed_device = {fixed_read, fixed_write, fixed_seek, fixed_close};

static size_t text_length(const char *bytes, size_t size) {
  const char *end = size > 0 ? memchr(bytes, '\0', size) : NULL;
  return end ? (size_t)(end - bytes) : size;
}

FILE *fmemopen(void *bytes, size_t size, const char *mode) {
  unsigned access;
  struct fixed *fixed;
  if (__rt_parse_mode(mode, &access) < 0) return NULL;
  fixed = calloc(1, sizeof *fixed);
  if (!fixed) return NULL;
  fixed->owned = !bytes;
  fixed->bytes = bytes ? bytes : calloc(1, size > 0 ? size : 1);
  fixed->size = size;
  if (!fixed->bytes) {
    free(fixed);
    return NULL;
  }
  if (mode[0] == 'w' && size > 0) fixed->bytes[0] = '\0';
  fixed->length = mode[0] == 'r' ? size : text_length(fixed->bytes, size);
  if (mode[0] == 'a') fixed->position = fixed->length;
  return open_stream(&fixed_device, access, fixed);
}

// ---- A buffer that grows

struct growing {
  char **bytes;  // the program's variables, up to date after each write
  size_t *length;
  size_t end, position, capacity;
};

static long growing_reserve(struct growing *growing, size_t needed) {
  size_t capacity = growing->capacity * 2;
  char *grown;
  if (needed <= growing->capacity) return 0;
  if (capacity < needed) capacity = needed;
  grown = realloc(*growing->bytes, capacity);
  if (!grown) return -ENOMEM;
  *growing->bytes = grown;
  growing->capacity = capacity;
  return 0;
}

static long growing_write(struct stream *stream, const char *buf, size_t n) {
  struct growing *growing = stream->cookie;
  long failed = growing_reserve(growing, growing->position + n + 1);
  if (failed < 0) return failed;
  if (growing->position > growing->end) {
    memset(*growing->bytes + growing->end, 0, growing->position - growing->end);
  }
  memcpy(*growing->bytes + growing->position, buf, n);
  growing->position += n;
  if (growing->position > growing->end) {
    growing->end = growing->position;
    (*growing->bytes)[growing->end] = '\0';
  }
  *growing->length = growing->position;
  return (long)n;
}

static long growing_seek(struct stream *stream, long offset, int whence) {
  struct growing *growing = stream->cookie;
  long target = target_of(offset, whence, growing->position, growing->end);
  if (target < 0) return target;
  growing->position = (size_t)target;
  *growing->length = growing->position < growing->end ? growing->position : growing->end;
  return target;
}

static long no_read(struct stream *stream, char *buf, size_t n) {
  (void)stream;
  (void)buf;
  (void)n;
  return -EBADF;
}

static long growing_close(struct stream *stream) {
  free(stream->cookie);
  return 0;
}

static const struct device growing_device = {no_read, growing_write, growing_seek, growing_close};

FILE *open_memstream(char **bytes, size_t *length) {
  struct growing *growing = calloc(1, sizeof *growing);
  FILE *file;
  *bytes = calloc(1, 1);
  *length = 0;
  if (!growing || !*bytes) {
    free(growing);
    return NULL;
  }
  growing->bytes = bytes;
  growing->length = length;
  growing->capacity = 1;
  file = open_stream(&growing_device, RT_WRITABLE, growing);
  if (!file) free(*bytes);
  return file;
}

// ---- A program's functions

struct custom {
  void *cookie;
  cookie_io_functions_t functions;
};

static long custom_read(struct stream *stream, char *buf, size_t n) {
  struct custom *custom = stream->cookie;
  long done = custom->functions.read ? custom->functions.read(custom->cookie, buf, n) : 0;
  return done < 0 ? -errno : done;
}

static long custom_write(struct stream *stream, const char *buf, size_t n) {
  struct custom *custom = stream->cookie;
  // Without a function, what is written disappears; 0 stands for an error.
  long done = custom->functions.write ? custom->functions.write(custom->cookie, buf, n) : (long)n;
  return done > 0 ? done : -errno;
}

static long custom_seek(struct stream *stream, long offset, int whence) {
  struct custom *custom = stream->cookie;
  off64_t position = offset;
  if (!custom->functions.seek) return -ESPIPE;
  return custom->functions.seek(custom->cookie, &position, whence) == 0 ? position : -errno;
}

static long custom_close(struct stream *stream) {
  struct custom *custom = stream->cookie;
  int failed = custom->functions.close && custom->functions.close(custom->cookie) != 0;
  free(custom);
  return failed ? -errno : 0;
}

static const struct device custom_device = {custom_read, custom_write, custom_seek, custom_close};

FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
  unsigned access;
  struct custom *custom;
  if (__rt_parse_mode(mode, &access) < 0) return NULL;
  custom = malloc(sizeof *custom);
  if (custom) *custom = (struct custom){cookie, functions};
  return open_stream(&custom_device, access, custom);
}
