// Wide strings and arrays.

#include "rt.h"

size_t wcslen(const wchar_t *s) {
  size_t n = 0;
  while (s[n] != L'\0') n++;
  return n;
}

static size_t bounded_length(const wchar_t *s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n] != L'\0') n++;
  return n;
}

size_t wcsnlen(const wchar_t *s, size_t limit) { return bounded_length(s, limit); }

// ---- Arrays

wchar_t *wmemcpy(wchar_t *restrict out, const wchar_t *restrict in, size_t n) {
  return memcpy(out, in, n * sizeof *out);
}

wchar_t *wmemmove(wchar_t *out, const wchar_t *in, size_t n) { return memmove(out, in, n * sizeof *out); }
wchar_t *wmempcpy(wchar_t *restrict out, const wchar_t *restrict in, size_t n) { return wmemcpy(out, in, n) + n; }

wchar_t *wmemset(wchar_t *out, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = c;
  return out;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (s[i] == c) return (wchar_t *)s + i;
  }
  return NULL;
}

// ---- Copies

wchar_t *wcscpy(wchar_t *restrict out, const wchar_t *restrict in) { return wmemcpy(out, in, wcslen(in) + 1); }
wchar_t *wcpcpy(wchar_t *restrict out, const wchar_t *restrict in) { return wcscpy(out, in) + wcslen(in); }

wchar_t *wcsncpy(wchar_t *restrict out, const wchar_t *restrict in, size_t n) {
  size_t length = bounded_length(in, n);
  wmemcpy(out, in, length);
  wmemset(out + length, L'\0', n - length);
  return out;
}

wchar_t *wcpncpy(wchar_t *restrict out, const wchar_t *restrict in, size_t n) {
  return wcsncpy(out, in, n) + bounded_length(in, n);
}

wchar_t *wcscat(wchar_t *restrict out, const wchar_t *restrict in) {
  wcscpy(out + wcslen(out), in);
  return out;
}

wchar_t *wcsncat(wchar_t *restrict out, const wchar_t *restrict in, size_t n) {
  size_t length = bounded_length(in, n);
  wchar_t *end = out + wcslen(out);
  wmemcpy(end, in, length);
  end[length] = L'\0';
  return out;
}

wchar_t *wcsdup(const wchar_t *s) {
  size_t n = wcslen(s) + 1;
  wchar_t *copy = malloc(n * sizeof *copy);
  return copy ? wmemcpy(copy, s, n) : NULL;
}

size_t wcsxfrm(wchar_t *restrict out, const wchar_t *restrict in, size_t n) {
  size_t length = wcslen(in);
  if (length < n) wmemcpy(out, in, length + 1);
  return length;
}

// ---- Comparisons

static wint_t same(wint_t c) { return c; }
static wint_t folded(wint_t c) { return c < 0x80 ? (wint_t)__rt_to_lower((int)c) : c; }

static int compare(const wchar_t *a, const wchar_t *b, size_t n, wint_t (*key)(wint_t)) {
  for (size_t i = 0; i < n; i++) {
    wchar_t left = (wchar_t)key((wint_t)a[i]), right = (wchar_t)key((wint_t)b[i]);
    if (left != right) return left < right ? -1 : 1;
    if (left == L'\0') break;
  }
  return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) { return compare(a, b, SIZE_MAX, same); }
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) { return compare(a, b, n, same); }
int wcscasecmp(const wchar_t *a, const wchar_t *b) { return compare(a, b, SIZE_MAX, folded); }
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) { return compare(a, b, n, folded); }
int wcscoll(const wchar_t *a, const wchar_t *b) { return compare(a, b, SIZE_MAX, same); }

// ---- Searches

static wchar_t *find_or_end(const wchar_t *s, wchar_t c) {
  while (*s != c && *s != L'\0') s++;
  return (wchar_t *)s;
}

wchar_t *wcschrnul(const wchar_t *s, wchar_t c) { return find_or_end(s, c); }

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  wchar_t *found = find_or_end(s, c);
  return *found == c ? found : NULL;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *found = NULL;
  do {
    if (*s == c) found = s;
  } while (*s++ != L'\0');
  return (wchar_t *)found;
}

static int holds(const wchar_t *set, wchar_t c) { return c != L'\0' && wcschr(set, c) != NULL; }

size_t wcsspn(const wchar_t *s, const wchar_t *set) {
  size_t n = 0;
  while (holds(set, s[n])) n++;
  return n;
}

size_t wcscspn(const wchar_t *s, const wchar_t *set) {
  size_t n = 0;
  while (s[n] != L'\0' && !holds(set, s[n])) n++;
  return n;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) {
  s += wcscspn(s, set);
  return *s == L'\0' ? NULL : (wchar_t *)s;
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) {
  size_t n = wcslen(part);
  for (;; s++) {
    if (wcsncmp(s, part, n) == 0) return (wchar_t *)s;
    if (*s == L'\0') return NULL;
  }
}

RT_ALIAS(wcswcs, wcsstr);

wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict set, wchar_t **restrict rest) {
  wchar_t *token = s ? s : *rest;
  if (!token) return NULL;
  token += wcsspn(token, set);
  if (*token == L'\0') {
    *rest = NULL;
    return NULL;
  }
  s = token + wcscspn(token, set);
  *rest = *s == L'\0' ? NULL : s + 1;
  *s = L'\0';
  return token;
}

// ---- Columns on a terminal

int wcwidth(wchar_t c) { return c == L'\0' ? 0 : c >= 0x20 && c < 0x7f ? 1 : -1; }

int wcswidth(const wchar_t *s, size_t n) {
  int width = 0;
  for (size_t i = 0; i < n && s[i] != L'\0'; i++) {
    if (wcwidth(s[i]) < 0) return -1;
    width += wcwidth(s[i]);
  }
  return width;
}
