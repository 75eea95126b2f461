// What a program can ask about a stream, and the locks, which a single thread always gets.

#include "rt.h"

#include <stdio_ext.h>

int feof(FILE *file) { return (file->_flags & _IO_EOF_SEEN) != 0; }
int ferror(FILE *file) { return (file->_flags & _IO_ERR_SEEN) != 0; }
void clearerr(FILE *file) { file->_flags &= ~(_IO_EOF_SEEN | _IO_ERR_SEEN); }
int fileno(FILE *file) { return file->_fileno >= 0 ? file->_fileno : __rt_fail(EBADF); }

RT_ALIAS(feof_unlocked, feof);
RT_ALIAS(ferror_unlocked, ferror);
RT_ALIAS(clearerr_unlocked, clearerr);
RT_ALIAS(fileno_unlocked, fileno);
RT_ALIAS(_IO_feof, feof);
RT_ALIAS(_IO_ferror, ferror);

void flockfile(FILE *file) { (void)file; }
void funlockfile(FILE *file) { (void)file; }

int ftrylockfile(FILE *file) {
  (void)file;
  return 0;
}

RT_ALIAS(_IO_flockfile, flockfile);
RT_ALIAS(_IO_funlockfile, funlockfile);

int __fsetlocking(FILE *file, int type) {
  (void)file;
  (void)type;
  return FSETLOCKING_INTERNAL;
}

int fwide(FILE *file, int mode) {
  if (mode != 0) __rt_orient(__rt_stream(file), mode > 0 ? 1 : -1);
  return file->_mode;
}

// ---- <stdio_ext.h>

int __freading(FILE *file) {
  const struct stream *stream = __rt_stream(file);
  return stream->phase == RT_READING || !(stream->access & RT_WRITABLE);
}

int __fwriting(FILE *file) {
  const struct stream *stream = __rt_stream(file);
  return stream->phase == RT_WRITING || !(stream->access & RT_READABLE);
}

int __freadable(FILE *file) { return (__rt_stream(file)->access & RT_READABLE) != 0; }
int __fwritable(FILE *file) { return (__rt_stream(file)->access & RT_WRITABLE) != 0; }
int __flbf(FILE *file) { return __rt_stream(file)->buffering == _IOLBF; }
size_t __fbufsize(FILE *file) { return __rt_stream(file)->capacity; }
void _flushlbf(void) { __rt_flush_all(); }

size_t __fpending(FILE *file) {
  const struct stream *stream = __rt_stream(file);
  return stream->phase == RT_WRITING ? stream->position : 0;
}

void __fpurge(FILE *file) {
  struct stream *stream = __rt_stream(file);
  stream->position = stream->end = stream->n_pushed = 0;
}
