// Bytes out of streams: the buffer, what was pushed back, and reading past both.

#include "rt.h"

static int begin_reading(struct stream *stream) {
  struct stream *output = __rt_stream(stdout);
  if (!(stream->access & RT_READABLE)) return __rt_mark(stream, _IO_ERR_SEEN, EBADF);
  if (stream->pub._flags & _IO_EOF_SEEN) return -1;
  if (stream->phase == RT_WRITING && __rt_settle(stream) < 0) return -1;
  __rt_ensure_buffer(stream);
  stream->phase = RT_READING;
  // Someone at a terminal wants to see the prompt.
  if (stream->buffering != _IOFBF && output->buffering == _IOLBF) __rt_flush(output);
  return 0;
}

// Reads from the device; 0 at the end or after an error.
static size_t transfer(struct stream *stream, char *buf, size_t n) {
  long result = stream->device->read(stream, buf, n);
  if (result > 0) return (size_t)result;
  __rt_mark(stream, result == 0 ? _IO_EOF_SEEN : _IO_ERR_SEEN, (int)-result);
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
    size_t part, block;
    int empty = stream->n_pushed == 0 && (stream->phase != RT_READING || stream->position == stream->end);
    if (empty && begin_reading(stream) < 0) break;
    block = stream->buffering == _IONBF ? 1 : stream->capacity;
    if (empty && n - done >= block) {
      // Whole blocks need no stop in the buffer.
      part = transfer(stream, buf + done, (n - done) - (n - done) % block);
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
