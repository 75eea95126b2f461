// Positions in streams.

#include "rt.h"

long __rt_tell(struct stream *stream) {
  int waiting = stream->phase == RT_WRITING && stream->position > 0;
  // Appended output will land at the end, wherever the device stands now.
  int whence = waiting && (stream->access & RT_APPENDING) ? SEEK_END : SEEK_CUR;
  long offset = __rt_result(stream->device->seek(stream, 0, whence));
  if (offset < 0) return -1;
  if (stream->phase == RT_READING) offset -= (long)__rt_unread(stream);
  if (waiting) offset += (long)stream->position;
  return offset;
}

long __rt_seek(struct stream *stream, long offset, int whence) {
  long moved;
  if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) return __rt_fail(EINVAL);
  if (__rt_settle(stream) < 0) return -1;
  moved = __rt_result(stream->device->seek(stream, offset, whence));
  if (moved < 0) return -1;
  stream->pub._flags &= ~_IO_EOF_SEEN;
  return moved;
}

int fseek(FILE *file, long offset, int whence) { return __rt_seek(__rt_stream(file), offset, whence) < 0 ? -1 : 0; }
long ftell(FILE *file) { return __rt_tell(__rt_stream(file)); }

RT_ALIAS(fseeko, fseek);
RT_ALIAS(fseeko64, fseek);
RT_ALIAS(ftello, ftell);
RT_ALIAS(ftello64, ftell);
RT_ALIAS(_IO_ftell, ftell);

void rewind(FILE *file) {
  fseek(file, 0, SEEK_SET);
  file->_flags &= ~(_IO_EOF_SEEN | _IO_ERR_SEEN);
}

int fgetpos(FILE *file, fpos_t *position) {
  long offset = ftell(file);
  if (offset < 0) return -1;
  memset(position, 0, sizeof *position);
  position->__pos = offset;
  return 0;
}

int fsetpos(FILE *file, const fpos_t *position) { return fseek(file, position->__pos, SEEK_SET); }

RT_ALIAS(fgetpos64, fgetpos);
RT_ALIAS(fsetpos64, fsetpos);
RT_ALIAS(_IO_fgetpos, fgetpos);
RT_ALIAS(_IO_fsetpos, fsetpos);
