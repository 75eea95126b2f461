// Unformatted byte input. The unlocked names are the same functions, since nothing here has locks.

#include "rt.h"

int fgetc(FILE *file) { return __rt_getc(__rt_stream(file)); }
int getchar(void) { return __rt_getc(__rt_stream(stdin)); }
int __uflow(FILE *file) { return __rt_getc(__rt_stream(file)); }

RT_ALIAS(getc, fgetc);
RT_ALIAS(_IO_getc, fgetc);
RT_ALIAS(fgetc_unlocked, fgetc);
RT_ALIAS(getc_unlocked, fgetc);
RT_ALIAS(getchar_unlocked, getchar);

int __underflow(FILE *file) {
  const char *byte;
  return __rt_peek(__rt_stream(file), &byte) > 0 ? (unsigned char)*byte : EOF;
}

int ungetc(int c, FILE *file) { return __rt_ungetc(__rt_stream(file), c); }

RT_ALIAS(_IO_ungetc, ungetc);

// Reads up to `limit` bytes, or until a newline was read; the number read.
static size_t read_line(struct stream *stream, char *buf, size_t limit) {
  size_t done = 0;
  while (done < limit) {
    const char *bytes;
    size_t part = __rt_peek(stream, &bytes);
    const char *newline;
    if (part > limit - done) part = limit - done;
    if (part == 0) break;
    newline = memchr(bytes, '\n', part);
    if (newline) part = (size_t)(newline - bytes) + 1;
    memcpy(buf + done, bytes, part);
    __rt_skip(stream, part);
    done += part;
    if (newline) break;
  }
  return done;
}

char *fgets(char *buf, int size, FILE *file) {
  struct stream *stream = __rt_stream(file);
  int had_error = stream->pub._flags & _IO_ERR_SEEN;
  size_t n;
  if (size <= 0) return NULL;
  if (size == 1) {
    buf[0] = '\0';
    return buf;
  }
  // An error during this call fails it even after some bytes; an older one does not.
  stream->pub._flags &= ~_IO_ERR_SEEN;
  n = read_line(stream, buf, (size_t)size - 1);
  if (n == 0 || (stream->pub._flags & _IO_ERR_SEEN)) buf = NULL;
  stream->pub._flags |= had_error;
  if (buf) buf[n] = '\0';
  return buf;
}

RT_ALIAS(fgets_unlocked, fgets);
RT_ALIAS(_IO_fgets, fgets);

char *__fgets_chk(char *buf, size_t capacity, int size, FILE *file) {
  if (size > 0 && (size_t)size > capacity) __rt_chk_fail();
  return fgets(buf, size, file);
}

RT_ALIAS(__fgets_unlocked_chk, __fgets_chk);

static char *get_line(char *buf, size_t capacity) {
  struct stream *stream = __rt_stream(stdin);
  size_t n = 0;
  int c = __rt_getc(stream);
  if (c == EOF) return NULL;
  for (; c != EOF && c != '\n'; c = __rt_getc(stream)) {
    if (n + 1 >= capacity) __rt_chk_fail();
    buf[n++] = (char)c;
  }
  buf[n] = '\0';
  return buf;
}

// The header no longer declares it, but old programs do.
char *gets(char *buf) { return get_line(buf, SIZE_MAX); }
char *__gets_chk(char *buf, size_t capacity) { return get_line(buf, capacity); }

size_t fread(void *items, size_t size, size_t n, FILE *file) {
  size_t bytes = size * n;
  size_t done = bytes == 0 ? 0 : __rt_get(__rt_stream(file), items, bytes);
  return bytes == 0 ? 0 : done == bytes ? n : done / size;
}

RT_ALIAS(fread_unlocked, fread);
RT_ALIAS(_IO_fread, fread);

size_t __fread_chk(void *items, size_t capacity, size_t size, size_t n, FILE *file) {
  if (size != 0 && n > capacity / size) __rt_chk_fail();
  return fread(items, size, n, file);
}

RT_ALIAS(__fread_unlocked_chk, __fread_chk);

int getw(FILE *file) {
  int word;
  return fread(&word, sizeof word, 1, file) == 1 ? word : EOF;
}
