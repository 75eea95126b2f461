// What else programs may ask of a stream.

#include "rt.h"

#include <stdio_ext.h>

size_t __fpending(FILE *file) {
  struct stream *stream = __rt_stream(file);
  return stream->phase == RT_WRITING ? stream->position : 0;
}

size_t __fbufsize(FILE *file) { return __rt_stream(file)->capacity; }
int __flbf(FILE *file) { return __rt_stream(file)->buffering == _IOLBF; }
int __freadable(FILE *file) { return (__rt_stream(file)->access & RT_READABLE) != 0; }
int __fwritable(FILE *file) { return (__rt_stream(file)->access & RT_WRITABLE) != 0; }

int __freading(FILE *file) {
  struct stream *stream = __rt_stream(file);
  return !(stream->access & RT_WRITABLE) || stream->phase == RT_READING;
}

int __fwriting(FILE *file) {
  struct stream *stream = __rt_stream(file);
  return !(stream->access & RT_READABLE) || stream->phase == RT_WRITING;
}

void __fpurge(FILE *file) {
  struct stream *stream = __rt_stream(file);
  stream->phase = RT_IDLE;
  stream->position = stream->end = stream->n_pushed = 0;
}

// With one thread, who locks makes no difference.
int __fsetlocking(FILE *file, int type) {
  (void)file;
  (void)type;
  return FSETLOCKING_INTERNAL;
}
