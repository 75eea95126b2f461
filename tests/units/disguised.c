// Loops that are string functions in disguise: explored by length, as the functions are.
//
// trial: entry=length strings=loops expect=assert at=thousand
// trial: entry=copied param=s=string:1000 strings=loops expect=out-of-bounds at=copied
// trial: entry=copied param=s=string:299 strings=loops expect=clean
// trial: entry=copied fault=CHECKED strings=loops expect=clean
// trial: entry=skipped param=s=string:400 strings=loops expect=assert at=hundred
// trial: entry=host param=s=string:200 strings=loops expect=out-of-bounds at=host
// trial: entry=host fault=CHECKED strings=loops expect=clean
// trial: entry=bounded param=s=string:1000 strings=loops expect=out-of-bounds at=bounded
// trial: entry=bounded fault=CHECKED strings=loops expect=clean
// trial: entry=word strings=loops expect=out-of-bounds at=word
// trial: entry=word fault=CHECKED strings=loops expect=clean
// trial: entry=filled strings=loops expect=out-of-bounds at=filled
// trial: entry=filled fault=CHECKED strings=loops expect=clean
// trial: entry=appended param=s=string:500 strings=loops expect=out-of-bounds at=appended
// trial: entry=narrow param=s=string:600 strings=loops expect=assert at=narrow
// trial: entry=overlapping param=s=string:6 strings=loops expect=clean
// trial: entry=unended strings=loops expect=out-of-bounds at=unended
#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#ifdef FAULT_CHECKED
#define REQUIRE(condition) if (!(condition)) return 0
#else
#define REQUIRE(condition)
#endif

int length(const char *s) {
  const char *p = s;
  while (*p)
    p++;
  assert(p - s != 1000); //~ thousand
  return (int)(p - s);
}

int copied(const char *s) {
  char buffer[300], *d = buffer;
  REQUIRE(strlen(s) < sizeof buffer);
  while ((*d++ = *s++)) //~ copied
    ;
  return buffer[0];
}

int skipped(const char *s) {
  int n = 0;
  while (*s == ' ' || *s == '\t') {
    s++;
    n++;
  }
  assert(n != 100 || *s != 'x'); //~ hundred
  return n;
}

// What comes before a colon.
int host(const char *s) {
  char name[64];
  const char *p = s;
  while (*p && *p != ':')
    p++;
  if (!*p)
    return 0;
  REQUIRE(p - s < 64);
  memcpy(name, s, p - s);
  name[p - s] = 0; //~ host
  return name[0];
}

int bounded(const char *s) {
  char part[128];
  int i;
#ifdef FAULT_CHECKED
  int most = 127;
#else
  int most = 128;
#endif
  for (i = 0; i < most && s[i] && s[i] != '/'; i++)
    part[i] = s[i];
  part[i] = 0; //~ bounded
  return part[0];
}

static int is_separator(int c) { return isspace(c) || c == ','; }

// Functions are followed.
int word(const char *s) {
  char text[40];
  unsigned i = 0;
  while (is_separator((unsigned char)*s))
    s++;
  while (s[i] && !is_separator((unsigned char)s[i]))
    i++;
  REQUIRE(i < sizeof text);
  memcpy(text, s, i);
  text[i] = 0; //~ word
  return text[0];
}

int filled(unsigned n) {
  char line[80], *d = line;
  REQUIRE(n < sizeof line);
  while (n-- > 0)
    *d++ = '-'; //~ filled
  *d = 0;
  return line[0];
}

// The end of what another loop has written.
int appended(const char *s) {
  char both[256];
  size_t i, n;
  if (strlen(s) > 200)
    return 0;
  for (i = 0; s[i]; i++)
    both[i] = s[i];
  both[i] = 0;
  for (n = 0; both[n]; n++)
    ;
  for (i = 0; (both[n + i] = s[i]); i++) //~ appended
    ;
  return (int)n;
}

// A counter that wraps around.
int narrow(const char *s) {
  unsigned char n = 0;
  const char *p = s;
  while (*p) {
    p++;
    n++;
  }
  assert(n == p - s || n != 7); //~ narrow
  return n;
}

// What is read was written by the round before: one character everywhere.
int overlapping(char *s) {
  char *from = s, *to = s + 1;
  size_t n = strlen(s);
  if (n < 3)
    return 0;
  while (to < s + n)
    *to++ = *from++;
  assert(s[n - 1] == s[0]);
  return s[0];
}

int unended(const char *s) {
  char piece[32];
  const char *p = piece;
  strncpy(piece, s, sizeof piece);
  while (*p) //~ unended
    p++;
  return (int)(p - piece);
}
