// Conversions between bytes and wide characters in the C locale: ASCII maps to itself, everything else is an error. The
// conversion state is never used.

#include "rt.h"

#include <uchar.h>

static size_t invalid(void) {
  errno = EILSEQ;
  return (size_t)-1;
}

wint_t btowc(int c) { return __rt_widen(c); }
int wctob(wint_t c) { return c < 0x80 ? (int)c : EOF; }

int mbsinit(const mbstate_t *state) {
  (void)state;
  return 1;
}

// ---- One character

size_t mbrtowc(wchar_t *restrict out, const char *restrict bytes, size_t n, mbstate_t *restrict state) {
  wint_t c;
  (void)state;
  if (!bytes) return 0;
  if (n == 0) return (size_t)-2;
  c = __rt_widen((unsigned char)*bytes);
  if (c == WEOF) return invalid();
  if (out) *out = (wchar_t)c;
  return c != 0;
}

size_t wcrtomb(char *restrict out, wchar_t c, mbstate_t *restrict state) {
  int byte = __rt_narrow((wint_t)c);
  (void)state;
  if (!out) return 1;
  if (byte < 0) return invalid();
  *out = (char)byte;
  return 1;
}

size_t mbrlen(const char *restrict bytes, size_t n, mbstate_t *restrict state) {
  return mbrtowc(NULL, bytes, n, state);
}

RT_ALIAS(__mbrlen, mbrlen);

// The older functions know no incomplete character.
int mbtowc(wchar_t *restrict out, const char *restrict bytes, size_t n) {
  size_t length;
  if (!bytes) return 0;
  length = mbrtowc(out, bytes, n, NULL);
  return length == (size_t)-2 ? -1 : (int)length;
}

int mblen(const char *bytes, size_t n) { return mbtowc(NULL, bytes, n); }
int wctomb(char *out, wchar_t c) { return out ? (int)wcrtomb(out, c, NULL) : 0; }

size_t c32rtomb(char *restrict out, char32_t c, mbstate_t *restrict state) { return wcrtomb(out, (wchar_t)c, state); }
size_t c16rtomb(char *restrict out, char16_t c, mbstate_t *restrict state) { return wcrtomb(out, (wchar_t)c, state); }

size_t mbrtoc32(char32_t *restrict out, const char *restrict bytes, size_t n, mbstate_t *restrict state) {
  return mbrtowc((wchar_t *)out, bytes, n, state);
}

size_t mbrtoc16(char16_t *restrict out, const char *restrict bytes, size_t n, mbstate_t *restrict state) {
  wchar_t wide = 0;
  size_t length = mbrtowc(&wide, bytes, n, state);
  if (out && bytes && length <= 1) *out = (char16_t)wide;
  return length;
}

// ---- Strings. `limit` counts units of output, `n` bytes or characters of input; without an output nothing is limited.

static size_t widen(wchar_t *out, const char **bytes, size_t n, size_t limit) {
  const char *p = *bytes;
  size_t done = 0;
  for (; n > 0 && (!out || done < limit); n--, p++) {
    wint_t c = __rt_widen((unsigned char)*p);
    if (c == WEOF) {
      if (out) *bytes = p;
      return invalid();
    }
    if (out) out[done] = (wchar_t)c;
    if (c == 0) {
      if (out) *bytes = NULL;
      return done;
    }
    done++;
  }
  if (out) *bytes = p;
  return done;
}

static size_t narrow(char *out, const wchar_t **wide, size_t n, size_t limit) {
  const wchar_t *p = *wide;
  size_t done = 0;
  for (; n > 0 && (!out || done < limit); n--, p++) {
    int c = __rt_narrow((wint_t)*p);
    if (c < 0) {
      if (out) *wide = p;
      return invalid();
    }
    if (out) out[done] = (char)c;
    if (c == 0) {
      if (out) *wide = NULL;
      return done;
    }
    done++;
  }
  if (out) *wide = p;
  return done;
}

size_t mbsnrtowcs(wchar_t *restrict out, const char **restrict bytes, size_t n, size_t limit,
                  mbstate_t *restrict state) {
  (void)state;
  return widen(out, bytes, n, limit);
}

size_t wcsnrtombs(char *restrict out, const wchar_t **restrict wide, size_t n, size_t limit,
                  mbstate_t *restrict state) {
  (void)state;
  return narrow(out, wide, n, limit);
}

size_t mbsrtowcs(wchar_t *restrict out, const char **restrict bytes, size_t limit, mbstate_t *restrict state) {
  (void)state;
  return widen(out, bytes, SIZE_MAX, limit);
}

size_t wcsrtombs(char *restrict out, const wchar_t **restrict wide, size_t limit, mbstate_t *restrict state) {
  (void)state;
  return narrow(out, wide, SIZE_MAX, limit);
}

size_t mbstowcs(wchar_t *restrict out, const char *restrict bytes, size_t limit) {
  const char *p = bytes;
  return widen(out, &p, SIZE_MAX, limit);
}

size_t wcstombs(char *restrict out, const wchar_t *restrict wide, size_t limit) {
  const wchar_t *p = wide;
  return narrow(out, &p, SIZE_MAX, limit);
}
