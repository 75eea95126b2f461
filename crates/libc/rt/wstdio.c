// Wide-character input and output. In the C locale a wide character is one ASCII byte of the stream; as in glibc, any
// other is written as a question mark, and any other byte cannot be read.

#include "rt.h"

wint_t fputwc(wchar_t c, FILE *file) {
  struct stream *stream = __rt_stream(file);
  RT_MUTED_IF(__rt_is_output(stream), RT_OUTPUT);
  int byte = __rt_narrow((wint_t)c);
  if (!__rt_orient(stream, 1)) return WEOF;
  return __rt_putc(stream, byte < 0 ? '?' : byte) == EOF ? WEOF : (wint_t)c;
}

wint_t putwchar(wchar_t c) { return fputwc(c, stdout); }

RT_ALIAS(putwc, fputwc);
RT_ALIAS(fputwc_unlocked, fputwc);
RT_ALIAS(putwc_unlocked, fputwc);
RT_ALIAS(putwchar_unlocked, putwchar);

int fputws(const wchar_t *restrict text, FILE *restrict file) {
  RT_MUTED_IF(__rt_is_output(__rt_stream(file)), RT_OUTPUT);
  if (!__rt_orient(__rt_stream(file), 1)) return EOF;
  for (; *text != L'\0'; text++) {
    if (fputwc(*text, file) == WEOF) return EOF;
  }
  return 1;
}

RT_ALIAS(fputws_unlocked, fputws);

wint_t fgetwc(FILE *file) {
  struct stream *stream = __rt_stream(file);
  int byte;
  wint_t c;
  if (!__rt_orient(stream, 1)) return WEOF;
  byte = __rt_getc(stream);
  if (byte == EOF) return WEOF;
  c = __rt_widen(byte);
  if (c == WEOF) {
    stream->pub._flags |= _IO_ERR_SEEN;
    errno = EILSEQ;
  }
  return c;
}

wint_t getwchar(void) { return fgetwc(stdin); }

RT_ALIAS(getwc, fgetwc);
RT_ALIAS(fgetwc_unlocked, fgetwc);
RT_ALIAS(getwc_unlocked, fgetwc);
RT_ALIAS(getwchar_unlocked, getwchar);

wint_t ungetwc(wint_t c, FILE *file) {
  struct stream *stream = __rt_stream(file);
  int byte = c == WEOF ? -1 : __rt_narrow(c);
  if (byte < 0 || !__rt_orient(stream, 1)) return WEOF;
  return __rt_ungetc(stream, byte) == EOF ? WEOF : c;
}

wchar_t *fgetws(wchar_t *restrict buf, int size, FILE *restrict file) {
  int n = 0;
  if (size <= 0) return NULL;
  while (n < size - 1) {
    wint_t c = fgetwc(file);
    if (c == WEOF) break;
    buf[n++] = (wchar_t)c;
    if (c == L'\n') break;
  }
  if (n == 0 && size > 1) return NULL;
  buf[n] = L'\0';
  return buf;
}

RT_ALIAS(fgetws_unlocked, fgetws);
