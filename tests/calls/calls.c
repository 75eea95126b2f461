// Calls of library functions, one a function here: what each returns and leaves in `out` is the same natively and in the VM, for
// arguments drawn at random (`main`), and for those that exploring finds (`explored`).
//
// Strings are given as `s` and `t`; a place is returned as its distance from where the string begins, the result of a comparison as
// its sign. What a function writes stands in `out`, between bytes that it must leave alone.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

enum { ROOM = 240, MOST = 40 };

char out[ROOM];

#define CALL(name) long call_##name(const char *s, const char *t, size_t n, int c)

static long place(const char *found, const char *start) { return found ? found - start : -1; }
static long sign(int order) { return order < 0 ? -1 : order > 0; }
static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// ---- Searching

CALL(strlen) { return (long)strlen(s); }
CALL(strnlen) { return (long)strnlen(s, n); }
CALL(strchr) { return place(strchr(s, c), s); }
CALL(strchr_a) { return place(strchr(s, 'a'), s); }
CALL(strchrnul) { return place(strchrnul(s, c), s); }
CALL(strrchr) { return place(strrchr(s, c), s); }
CALL(index) { return place(index(s, c), s); }
CALL(memchr) { return place(memchr(s, c, least(n, strlen(s) + 1)), s); }
CALL(memrchr) { return place(memrchr(s, c, least(n, strlen(s) + 1)), s); }
CALL(rawmemchr) { return place(rawmemchr(s, 0), s); }
CALL(strspn) { return (long)strspn(s, t); }
CALL(strspn_set) { return (long)strspn(s, "ab1"); }
CALL(strcspn) { return (long)strcspn(s, t); }
CALL(strcspn_set) { return (long)strcspn(s, "b,"); }
CALL(strpbrk) { return place(strpbrk(s, t), s); }
CALL(strstr) { return place(strstr(s, t), s); }
CALL(strstr_ab) { return place(strstr(s, "ab"), s); }
CALL(strcasestr) { return place(strcasestr(s, t), s); }
CALL(memmem) { return place(memmem(s, strlen(s), t, least(n, strlen(t))), s); }

// ---- Comparing

CALL(strcmp) { return sign(strcmp(s, t)); }
CALL(strncmp) { return sign(strncmp(s, t, n)); }
CALL(strcasecmp) { return sign(strcasecmp(s, t)); }
CALL(strncasecmp) { return sign(strncasecmp(s, t, n)); }
CALL(strcoll) { return sign(strcoll(s, t)); }
CALL(strverscmp) { return sign(strverscmp(s, t)); }
CALL(memcmp) { return sign(memcmp(s, t, least(n, least(strlen(s), strlen(t)) + 1))); }
CALL(memcmp_same_length) {
  size_t length = strlen(s);
  return strlen(t) == length ? sign(memcmp(s, t, length)) : 2;
}
CALL(bcmp) { return bcmp(s, t, least(n, least(strlen(s), strlen(t)))) != 0; }

// ---- Copying

static char *fresh(void) { return memset(out, '#', ROOM) + 8; }

// After a string.
static char *begun(const char *with) { return strcpy(fresh(), with); }

CALL(memcpy) { return place(memcpy(fresh(), s, least(n, strlen(s) + 1)), out); }
CALL(mempcpy) { return place(mempcpy(fresh(), s, least(n, strlen(s) + 1)), out); }
CALL(memmove_up) { return place(memmove(begun(s) + least(n, 5), out + 8, strlen(s) + 1), out); }
CALL(memmove_down) { return place(memmove(begun(s), out + 8 + least(n, strlen(s)), 3), out); }
CALL(memset) { return place(memset(fresh(), c, least(n, MOST)), out); }
CALL(memccpy) { return place(memccpy(fresh(), s, c, least(n, strlen(s) + 1)), out); }
CALL(strcpy) { return place(strcpy(fresh(), s), out); }
CALL(stpcpy) { return place(stpcpy(fresh(), s), out); }
CALL(strncpy) { return place(strncpy(fresh(), s, least(n, MOST)), out); }
CALL(stpncpy) { return place(stpncpy(fresh(), s, least(n, MOST)), out); }
CALL(strcat) { return place(strcat(begun(s), t), out); }
CALL(strncat) { return place(strncat(begun(s), t, n), out); }
CALL(bcopy) { return bcopy(s, fresh(), least(n, strlen(s))), 0; }
CALL(bzero) { return bzero(fresh(), least(n, MOST)), 0; }
CALL(swab) { return swab(s, fresh(), (ssize_t)least(n, strlen(s)) & ~1), 0; }
CALL(strxfrm) { return (long)strxfrm(fresh(), s, MOST + 1); }
CALL(strdup) {
  char *copy = strdup(s);
  strcpy(fresh(), copy);
  free(copy);
  return (long)strlen(out);
}
CALL(strndup) {
  char *copy = strndup(s, n);
  strcpy(fresh(), copy);
  free(copy);
  return (long)strlen(out);
}

// Natively they may be missing; then this is what they do.
__attribute__((weak)) size_t strlcpy(char *to, const char *from, size_t size);
__attribute__((weak)) size_t strlcat(char *to, const char *from, size_t size);

static size_t copied(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    memcpy(to, from, least(length, size - 1));
    to[least(length, size - 1)] = 0;
  }
  return length;
}

CALL(strlcpy) {
  char *to = fresh();
  n = least(n, MOST);
  return (long)(strlcpy ? strlcpy(to, s, n) : copied(to, s, n));
}
CALL(strlcat) {
  char *to = begun(s);
  n = least(n, MOST);
  size_t length = strnlen(to, n);
  return (long)(strlcat ? strlcat(to, t, n) : length + copied(to + length, t, n - length));
}

// ---- Taking apart

static long parts(const char *s, const char *by, char *(*next)(char **, const char *)) {
  char *rest = begun(s), *part;
  long sum = 0;
  for (int i = 1; i < 6 && (part = next(&rest, by)); i++)
    sum = sum * 50 + (part - out) + (long)strlen(part);
  return sum;
}

static char *by_strtok_r(char **rest, const char *by) {
  char *part = strtok_r(*rest, by, rest);
  return part;
}

CALL(strsep) { return parts(s, t, strsep); }
CALL(strtok_r) { return parts(s, t, by_strtok_r); }
CALL(strtok) {
  char *part = strtok(begun(s), ", ");
  long sum = 0;
  for (int i = 0; part && i < 5; i++, part = strtok(NULL, ", "))
    sum = sum * 50 + (part - out);
  return sum;
}

// In `out`, or "." or "/".
static long part(const char *name) { return name >= out && name < out + ROOM ? name - out + 100 * (long)strlen(name) : name[0]; }

CALL(basename) { return part(basename(begun(s))); }
CALL(dirname) { return part(dirname(begun(s))); }

// ---- Numbers

// What was read, how far, and the error.
static long number(long value, const char *end, const char *start) {
  snprintf(fresh(), ROOM - 8, "%td %d", end - start, errno);
  return value;
}

#define BASE (n % 4 == 0 ? 10 : n % 4 == 1 ? 0 : n % 4 == 2 ? 16 : (int)(n % 37))
#define CALL_NUMBER(name, call, ...)     \
  CALL(name) {                           \
    char *end = (char *)s;               \
    errno = 0;                           \
    long value = (long)call(s, __VA_ARGS__); \
    return number(value, end, s);        \
  }

CALL_NUMBER(strtol, strtol, &end, BASE)
CALL_NUMBER(strtol_10, strtol, &end, 10)
CALL_NUMBER(strtoul, strtoul, &end, BASE)
CALL_NUMBER(strtoul_16, strtoul, &end, 16)
CALL_NUMBER(strtoll, strtoll, &end, BASE)
CALL_NUMBER(strtoull, strtoull, &end, BASE)
CALL(atoi) { return atoi(s); }
CALL(atol) { return atol(s); }
CALL(atoll) { return (long)atoll(s); }

static long real(double value, const char *end, const char *start) {
  long bits;
  memcpy(&bits, &value, sizeof bits);
  return number(value != value ? 1 : bits, end, start);
}

CALL(strtod) {
  char *end;
  errno = 0;
  return real(strtod(s, &end), end, s);
}
CALL(strtof) {
  char *end;
  errno = 0;
  return real(strtof(s, &end), end, s);
}
CALL(strtold) {
  char *end;
  errno = 0;
  return real((double)strtold(s, &end), end, s);
}
CALL(atof) {
  errno = 0;
  return real(atof(s), s, s);
}

// ---- Printing

static long long wide_number(size_t n, int c) { return (long long)((unsigned long long)c << (n & 31)) ^ (long long)n; }

#define CALL_PRINT(name, ...) \
  CALL(name) { return snprintf(fresh(), ROOM - 8, __VA_ARGS__); }

CALL_PRINT(print_d, "%d|", c)
CALL_PRINT(print_5d, "%5d|", c)
CALL_PRINT(print_left, "%-7d|", c)
CALL_PRINT(print_plus, "%+d % d|", c, c)
CALL_PRINT(print_zeros, "%06d|", c)
CALL_PRINT(print_precise, "%.3d %8.4d|", c, c)
CALL_PRINT(print_star, "%*d|", (int)(n % 20) - 10, c)
CALL_PRINT(print_stars, "%*.*d|", (int)(n % 20) - 10, (int)(n % 7) - 2, c)
CALL_PRINT(print_u, "%u %10u|", c, c)
CALL_PRINT(print_x, "%x %05x %#x|", c, c, c)
CALL_PRINT(print_X, "%X %#8X|", c, c)
CALL_PRINT(print_o, "%o %#o|", c, c)
CALL_PRINT(print_hd, "%hd %hhd|", c, c)
CALL_PRINT(print_hu, "%hu %hhx|", c, c)
CALL_PRINT(print_ld, "%ld %20ld|", (long)wide_number(n, c), (long)n)
CALL_PRINT(print_lld, "%lld %llx|", wide_number(n, c), wide_number(n, c))
CALL_PRINT(print_zu, "%zu %zx|", n, n)
CALL_PRINT(print_c, "%c%3c%-3c|", c, c, c)
CALL_PRINT(print_s, "%s|", s)
CALL_PRINT(print_two, "%s=%s;", s, t)
CALL_PRINT(print_8s, "%8s|%-8s|", s, t)
CALL_PRINT(print_3s, "%.3s|%6.2s|", s, t)
CALL_PRINT(print_star_s, "%.*s|%*s|", (int)(n % 20) - 2, s, (int)(n % 9) - 4, t)
CALL_PRINT(print_p, "%p|", (void *)n)
CALL_PRINT(print_f, "%f %.2f|", c / 8.0, (double)c)
CALL_PRINT(print_e, "%e %g|", c / 8.0, c * 1e5)
CALL_PRINT(print_percent, "%d%%%n|", c, &errno)
CALL(snprintf_short) { return snprintf(fresh(), least(n, MOST), "%s:%d", s, c); }
CALL(sprintf) { return sprintf(fresh(), "<%s|%d>", s, c); }
CALL(asprintf) {
  char *text;
  int length = asprintf(&text, "%s/%x", s, c);
  strcpy(fresh(), text);
  free(text);
  return length;
}

// A directive out of a number: any combination of flags, width, precision and length.
CALL(print_any) {
  char format[40] = "%", *end = format + 1;
  static const char flags[] = "-+ #0", conversions[] = "diuxXo";
  for (int i = 0; i < 5; i++)
    if (n >> i & 1) *end++ = flags[i];
  if (n >> 5 & 1) end += sprintf(end, "%d", (int)(n >> 6 & 15));
  if (n >> 10 & 1) end += sprintf(end, ".%d", (int)(n >> 11 & 15));
  int length = (int)(n >> 15 & 3);
  strcpy(end, length == 0 ? "" : length == 1 ? "h" : length == 2 ? "hh" : "l");
  sprintf(strchr(format, 0), "%c|", conversions[(n >> 17) % 6]);
  return length == 3 ? snprintf(fresh(), 100, format, wide_number(n, c)) : snprintf(fresh(), 100, format, c);
}
CALL(print_any_real) {
  char format[40] = "%", *end = format + 1;
  static const char flags[] = "-+ #0", conversions[] = "feEgGaA";
  for (int i = 0; i < 5; i++)
    if (n >> i & 1) *end++ = flags[i];
  if (n >> 5 & 1) end += sprintf(end, "%d", (int)(n >> 6 & 15));
  if (n >> 10 & 1) end += sprintf(end, ".%d", (int)(n >> 11 & 15));
  sprintf(end, "%c|", conversions[(n >> 17) % 7]);
  return snprintf(fresh(), 100, format, c / 128.0);
}

// Printed, and read back.
CALL(back_atoi) {
  sprintf(fresh(), "%d", c);
  return atoi(out + 8);
}
CALL(back_strtol) {
  sprintf(fresh(), "[%ld]", (long)n);
  return strtol(out + 9, NULL, 10);
}
CALL(back_strtoul) {
  sprintf(fresh(), "%x", c);
  return (long)strtoul(out + 8, NULL, 16);
}
CALL(back_sscanf) {
  int value = 0, n_read;
  sprintf(fresh(), "%d,%s", c, s);
  n_read = sscanf(out + 8, "%d", &value);
  return n_read == 1 ? value : -7777;
}
// With any flags, width and precision, and a sign or digits behind it.
CALL(back_any) {
  char format[40] = "%", *end = format + 1;
  static const char flags[] = "-+ #0", conversions[] = "diuxXo";
  static const int bases[] = {10, 10, 10, 16, 0, 8};
  for (int i = 0; i < 5; i++)
    if (n >> i & 1) *end++ = flags[i];
  end += sprintf(end, "%d", (int)(n >> 6 & 15));
  if (n >> 10 & 1) end += sprintf(end, ".%d", (int)(n >> 11 & 15));
  sprintf(end, "%c%s", conversions[(n >> 17) % 6], n & 1 << 16 ? "-1" : "|");
  sprintf(fresh(), format, c);
  long value = strtol(out + 8, &end, bases[(n >> 17) % 6]);
  return value * 100 + (end - out);
}
CALL(back_field) { sprintf(fresh(), "%7d", c); return atoi(out + 8); }
CALL(back_zeros) { sprintf(fresh(), "%07d", c); return atoi(out + 8); }
CALL(back_sign) { sprintf(fresh(), "%+d", c); return atoi(out + 8); }
CALL(back_prefix) { sprintf(fresh(), "%#x", c); return (long)strtoul(out + 8, NULL, 0); }
CALL(back_octal) { sprintf(fresh(), "%#o", c); return (long)strtoul(out + 8, NULL, 0); }
CALL(back_columns) {
  int value = 0, other = 0, n_read;
  sprintf(fresh(), "%-5d|%5d", c, (int)n % 1000);
  n_read = sscanf(out + 8, "%4d%*[ |]%6d", &value, &other);
  return n_read * 1000000 + value * 1000 + other;
}

// ---- Reading

// What conversions stored.
static long stored(int n_read, long a, long b, const char *text) {
  snprintf(fresh(), ROOM - 8, "%ld %ld %s", a, b, text);
  return n_read;
}

#define CALL_SCAN(name, format, ...)                     \
  CALL(name) {                                           \
    int a = -1, b = -1;                                  \
    char text[MOST * 2] = "";                            \
    return stored(sscanf(s, format, __VA_ARGS__), a, b, text); \
  }

CALL_SCAN(scan_d, "%d", &a)
CALL_SCAN(scan_two, "%d,%d", &a, &b)
CALL_SCAN(scan_x, "%x %i", &a, &b)
CALL_SCAN(scan_s, "%s", text)
CALL_SCAN(scan_4s, "%4s%n", text, &a)
CALL_SCAN(scan_set, "%[ab1]%n", text, &a)
CALL_SCAN(scan_not_set, "%5[^,]%*c%d", text, &a)
CALL_SCAN(scan_pair, "%10[^=]=%d", text, &a)
CALL_SCAN(scan_c, "%c%n", text, &a)
CALL_SCAN(scan_2d, "%2d%3d", &a, &b)
CALL(scan_f) {
  double value = -1;
  errno = 0;
  int n_read = sscanf(s, "%lf", &value);
  return n_read * 1000 + real(value, s, s) % 1000;
}

// ---- Streams over `s`

static FILE *stream(const char *s) {
  FILE *file = tmpfile();
  fputs(s, file);
  rewind(file);
  return file;
}

CALL(fgets) {
  FILE *file = stream(s);
  long sum = 0;
  char *to = fresh();
  for (int i = 0; i < 3 && fgets(to, (int)least(n, 12) + 2, file); i++, to += strlen(to)) sum++;
  fclose(file);
  return sum;
}
CALL(fread) {
  FILE *file = stream(s);
  size_t size = n % 3 + 1, count = fread(fresh(), size, least(n / 3, 6), file);
  long where = (long)count * 100 + ftell(file);
  fclose(file);
  return where;
}
CALL(getline) {
  FILE *file = stream(s);
  char *line = NULL;
  size_t capacity = 0;
  long length = getline(&line, &capacity, file), next = getline(&line, &capacity, file);
  strcpy(fresh(), next >= 0 ? line : "");
  free(line);
  fclose(file);
  return length * 100 + next;
}
CALL(fscanf) {
  FILE *file = stream(s);
  int a = -1, b = -1, n_read = fscanf(file, "%d %d", &a, &b);
  long where = ftell(file);
  fclose(file);
  return stored(n_read, a, b, "") * 100 + where;
}
CALL(ungetc) {
  FILE *file = stream(s);
  int first = fgetc(file), again = ungetc(c & 127, file), second = fgetc(file), third = fgetc(file);
  fclose(file);
  return (((long)first * 300 + again) * 300 + second) * 300 + third;
}

// ---- Environment

CALL(getenv) {
  setenv("SPELUNK_TEST", s, 1);
  const char *value = getenv("SPELUNK_TEST");
  strcpy(fresh(), value);
  unsetenv("SPELUNK_TEST");
  return getenv("SPELUNK_TEST") == NULL ? (long)strlen(out) : -1;
}

// ---- Wide characters

static const wchar_t *widened(const char *s, wchar_t *wide) {
  size_t i = 0;
  for (; s[i] && i < MOST; i++) wide[i] = (unsigned char)s[i] & 127;
  wide[i] = 0;
  return wide;
}

static long wide_place(const wchar_t *found, const wchar_t *start) { return found ? found - start : -1; }

#define CALL_WIDE(name, ...)                        \
  CALL(name) {                                      \
    wchar_t room[MOST + 1], other[MOST + 1];        \
    const wchar_t *a = widened(s, room), *b = widened(t, other); \
    (void)b;                                        \
    return __VA_ARGS__;                             \
  }

CALL_WIDE(wcslen, (long)wcslen(a))
CALL_WIDE(wcsnlen, (long)wcsnlen(a, n))
CALL_WIDE(wcscmp, sign(wcscmp(a, b)))
CALL_WIDE(wcsncmp, sign(wcsncmp(a, b, n)))
CALL_WIDE(wcscasecmp, sign(wcscasecmp(a, b)))
CALL_WIDE(wcschr, wide_place(wcschr(a, c & 127), a))
CALL_WIDE(wcsrchr, wide_place(wcsrchr(a, c & 127), a))
CALL_WIDE(wcsstr, wide_place(wcsstr(a, b), a))
CALL_WIDE(wcsspn, (long)wcsspn(a, b))
CALL_WIDE(wcscspn, (long)wcscspn(a, b))
CALL_WIDE(wcspbrk, wide_place(wcspbrk(a, b), a))
CALL_WIDE(wmemchr, wide_place(wmemchr(a, c & 127, least(n, wcslen(a))), a))
CALL_WIDE(wcstol, wcstol(a, NULL, BASE))
CALL_WIDE(wcscat, (long)wcslen(wcscat(wcscpy((wchar_t *)fresh(), a), L"ab")))
CALL_WIDE(wcsncpy, wide_place(wcsncpy((wchar_t *)fresh(), a, least(n, 30)), (wchar_t *)out))
CALL_WIDE(wcstombs, (long)wcstombs(fresh(), a, least(n, MOST)))
CALL_WIDE(swprintf, swprintf((wchar_t *)fresh(), 30, L"%.9ls %d", a, c))
CALL(mbstowcs) { return (long)mbstowcs((wchar_t *)fresh(), "plain", least(n, 20)); }

// ---- Characters

CALL(ctype) {
  unsigned char u = (unsigned char)c;
  return !!isalpha(u) | !!isdigit(u) << 1 | !!isspace(u) << 2 | !!isupper(u) << 3 | !!islower(u) << 4 | !!ispunct(u) << 5 |
         !!isxdigit(u) << 6 | !!iscntrl(u) << 7 | !!isprint(u) << 8 | !!isgraph(u) << 9 | !!isblank(u) << 10 |
         (long)toupper(u) << 16 | (long)tolower(u) << 24;
}
CALL(abs) { return c == -2147483647 - 1 ? 0 : (long)abs(c) + ffs(c); }
CALL(strerror) { return (long)strlen(strcpy(fresh(), strerror(c & 127))); }

#include "table.h" // `calls`, made by the runner: every CALL above

// What is explored: a function, and all that it returns and writes as one number.
long explored(unsigned which, const char *s, const char *t, size_t n, int c) {
  if (which >= sizeof calls / sizeof *calls) return 0;
  fresh();
  errno = 0;
  long sum = calls[which].call(s, t, n, c);
  for (int i = 0; i < ROOM; i++) sum = (long)((unsigned long)sum * 31 + (unsigned char)out[i]);
  return sum;
}

#ifdef MAIN

static unsigned long long state;

static unsigned draw(unsigned below) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % below;
}

// Few characters, so that strings have something in common; or numbers, or separators, or anything.
static void draw_string(char *to) {
  static const char *const alphabets[] = {"ab", "abAB1", "0123456789", "+-0x12 ", "1.5e+-", "a, ,\t\nb", "/a.b/", "infatyINFAN(x)0x.p8", "10=a,"};
  unsigned length = draw(3) ? draw(9) : draw(MOST + 1), kind = draw(10);
  for (unsigned i = 0; i < length; i++)
    to[i] = kind == 9 ? (char)(1 + draw(255)) : alphabets[kind][draw((unsigned)strlen(alphabets[kind]))];
  to[length] = 0;
}

static int draw_int(void) {
  static const int special[] = {0, 1, -1, 9, 10, 99, 100, 255, 256, 32767, -32768, 2147483647, -2147483647 - 1};
  switch (draw(4)) {
    case 0: return special[draw(sizeof special / sizeof *special)];
    case 1: return "ab1,/ 0"[draw(8)];
    case 2: return (int)draw(256);
    default: return (int)((draw(1u << 31) << 1 | draw(2)) >> draw(32));
  }
}

static void show(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c >= ' ' && c < 127 && c != '\\') putchar(c);
    else printf("\\%02x", c);
  }
}

// Arguments: a seed, and how often each function is called.
int main(int argc, char **argv) {
  if (argc != 3) return 2;
  state = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
  for (long round = strtol(argv[2], NULL, 10); round > 0; round--) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
      char s[MOST + 1], t[MOST + 1];
      draw_string(s);
      draw_string(t);
      size_t length = strlen(s), n = draw(2) ? draw(12) : draw(1u << draw(31));
      int c = draw_int();
      // Something that is there.
      if (draw(4) == 0) c = s[draw((unsigned)length + 1)];
      if (draw(4) == 0) strcpy(t, s + draw((unsigned)length + 1));
      if (draw(4) == 0) t[draw((unsigned)strlen(t) + 1)] = 0;
      fresh();
      errno = 0;
      long result = calls[i].call(s, t, n, c);
      for (length = ROOM; length > 0 && out[length - 1] == '#';) length--;
      printf("%s(\"", calls[i].name);
      show(s, strlen(s));
      printf("\", \"");
      show(t, strlen(t));
      printf("\", %zu, %d) = %ld ", n, c, result);
      show(out, length);
      putchar('\n');
    }
  }
  return 0;
}
#endif
