// Unformatted byte output. The unlocked names are the same functions, since nothing here has locks.

#include "rt.h"

int fputc(int c, FILE *file) { return __rt_putc(__rt_stream(file), c); }
int putchar(int c) { return __rt_putc(__rt_stream(stdout), c); }
int __overflow(FILE *file, int c) { return __rt_putc(__rt_stream(file), c); }

RT_ALIAS(putc, fputc);
RT_ALIAS(_IO_putc, fputc);
RT_ALIAS(fputc_unlocked, fputc);
RT_ALIAS(putc_unlocked, fputc);
RT_ALIAS(putchar_unlocked, putchar);

static size_t put_bytes(FILE *file, const char *text, size_t n) {
  struct stream *stream = __rt_stream(file);
  return __rt_orient(stream, -1) ? __rt_put(stream, text, n) : 0;
}

int fputs(const char *text, FILE *file) {
  RT_MUTED_IF(__rt_is_output(__rt_stream(file)), RT_OUTPUT);
  size_t n = strlen(text);
  return put_bytes(file, text, n) == n ? 1 : EOF;
}

RT_ALIAS(fputs_unlocked, fputs);
RT_ALIAS(_IO_fputs, fputs);

int puts(const char *text) {
  RT_MUTED_IF(__rt_is_output(__rt_stream(stdout)), RT_OUTPUT);
  size_t n = strlen(text);
  if (put_bytes(stdout, text, n) != n || putchar('\n') == EOF) return EOF;
  return n + 1 > INT_MAX ? INT_MAX : (int)(n + 1);
}

RT_ALIAS(_IO_puts, puts);

size_t fwrite(const void *items, size_t size, size_t n, FILE *file) {
  RT_MUTED_IF(__rt_is_output(__rt_stream(file)), RT_OUTPUT);
  size_t bytes = size * n;
  size_t done = bytes == 0 ? 0 : put_bytes(file, items, bytes);
  return done == bytes ? (bytes == 0 ? 0 : n) : done / size;
}

RT_ALIAS(fwrite_unlocked, fwrite);
RT_ALIAS(_IO_fwrite, fwrite);

int putw(int word, FILE *file) { return fwrite(&word, sizeof word, 1, file) == 1 ? 0 : EOF; }
