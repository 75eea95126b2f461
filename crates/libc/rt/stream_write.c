// Bytes into streams: what waits in the buffer, and when it leaves.

#include "rt.h"

// The number of bytes that the device took.
static size_t write_through(struct stream *stream, const char *text, size_t n) {
  size_t done = 0;
  while (done < n) {
    long written = stream->device->write(stream, text + done, n - done);
    if (written <= 0) {
      __rt_mark(stream, _IO_ERR_SEEN, (int)-written);
      break;
    }
    done += (size_t)written;
  }
  return done;
}

int __rt_write_buffer(struct stream *stream) {
  size_t done = write_through(stream, stream->buffer, stream->position);
  size_t left = stream->position - done;
  if (left > 0) memmove(stream->buffer, stream->buffer + done, left);
  stream->position = left;
  return left > 0 ? -1 : 0;
}

static void flush_at_exit(void) { __rt_flush_all(); }

static int begin_writing(struct stream *stream) {
  if (stream->phase == RT_WRITING) return 0;
  if (!(stream->access & RT_WRITABLE)) return __rt_mark(stream, _IO_ERR_SEEN, EBADF);
  if (__rt_settle(stream) < 0) return __rt_mark(stream, _IO_ERR_SEEN, 0);
  __rt_ensure_buffer(stream);
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
    if (__rt_write_buffer(stream) < 0) return done;
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
  RT_MUTED(RT_OUTPUT);
  while (n > 0 && text[n - 1] != '\n') n--;
  return n;
}

static void check(const struct stream *stream, const char *text, size_t n) {
  if (stream->device == &__rt_descriptor_device) __sp_check_output(text, n);
}

size_t __rt_put(struct stream *stream, const char *text, size_t n) {
  size_t must_leave, done;
  check(stream, text, n);
  if (stream->phase == RT_WRITING && stream->buffering == _IOFBF && n <= stream->capacity - stream->position) {
    memcpy(stream->buffer + stream->position, text, n);
    stream->position += n;
    return n;
  }
  if (begin_writing(stream) < 0) return 0;
  if (stream->buffering == _IOFBF) return store(stream, text, n);
  must_leave = stream->buffering == _IONBF ? n : whole_lines(text, n);
  done = store(stream, text, must_leave);
  if (done < must_leave || (must_leave > 0 && __rt_write_buffer(stream) < 0)) return done;
  return done + store(stream, text + done, n - done);
}

int __rt_putc(struct stream *stream, int c) {
  char byte = (char)c;
  if (stream->phase == RT_WRITING && stream->buffering == _IOFBF && stream->position < stream->capacity) {
    __sp_check_character((unsigned char)byte);
    stream->buffer[stream->position++] = byte;
  } else if (__rt_put(stream, &byte, 1) != 1) {
    return EOF;
  }
  return (unsigned char)byte;
}
