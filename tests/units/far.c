// Bugs that lie far into a loop over the input: each within a few hundred paths of the default search, and beside it the program without the bug.
//
// trial: entry=mebibyte param=name=string:1048576 paths=3 expect=out-of-bounds at=mebibyte
// trial: entry=number check=signed-overflow expect=signed-overflow at=number
// trial: entry=number fault=CHECKED check=signed-overflow expect=clean
// trial: entry=limited expect=assert at=limited
// trial: entry=quoted expect=out-of-bounds at=quoted
// trial: entry=escaped expect=out-of-bounds at=escaped
// trial: entry=nested expect=assert at=nested
// trial: entry=fill expect=out-of-bounds at=fill
// trial: entry=fill fault=CHECKED expect=clean
// trial: entry=longest expect=out-of-bounds at=longest
// trial: entry=longest fault=CHECKED expect=clean
// trial: entry=doubled expect=out-of-bounds at=doubled
// trial: entry=doubled fault=CHECKED expect=clean
// trial: entry=main fault=NUMBER sym-stdin=16 check=signed-overflow expect=signed-overflow at=main-number
// trial: entry=main fault=NUMBERS sym-stdin=300 check=signed-overflow expect=signed-overflow at=main-numbers
// trial: entry=main fault=WORDS sym-stdin=60 expect=out-of-bounds at=main-words
// trial: entry=main fault=WORDS sym-stdin=4096 expect=out-of-bounds at=main-words
// trial: entry=main fault=BRACKETS sym-stdin=500 expect=out-of-bounds at=main-brackets
// trial: entry=main fault=LINES sym-stdin=5000 expect=assert at=main-lines
// trial: entry=main fault=STARTS sym-stdin=8000 expect=out-of-bounds at=main-starts
// trial: entry=main fault=CALLS sym-stdin=3000 expect=out-of-bounds at=main-calls
// trial: entry=main fault=RUNS sym-stdin=32 expect=out-of-bounds at=main-runs
// trial: entry=main fault=HEADER sym-stdin=256 expect=out-of-bounds at=main-header
// trial: entry=main fault=TIMES sym-stdin=16 expect=out-of-bounds at=main-times
// trial: entry=main fault=LAST sym-stdin=40 expect=out-of-bounds at=main-last
// trial: entry=main fault=OPTION sym-arg=100 expect=out-of-bounds at=main-option
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#ifdef FAULT_CHECKED
#define REQUIRE(condition) if (!(condition)) return 0
#else
#define REQUIRE(condition)
#endif

int number(const char *s) {
  int n = 0, sign = 1;
  while (*s == ' ')
    s++;
  if (*s == '-') {
    sign = -1;
    s++;
  }
  for (; *s >= '0' && *s <= '9'; s++) {
    REQUIRE(n < 200000000);
    n = n * 10 + (*s - '0'); //~ number
  }
  return n * sign;
}

// No error on the way, but a value that none of a few digits has.
int limited(const char *s) {
  unsigned long n = 0;
  for (; *s >= '0' && *s <= '9'; s++)
    n = n * 10 + (*s - '0');
  assert(n < 9000000000); //~ limited
  return 0;
}

// What is behind the quotes matters too: only a string that is closed is copied.
int quoted(const char *s) {
  char text[940];
  if (*s++ != '"')
    return 1;
  const char *end = s;
  while (*end && *end != '"')
    end++;
  if (!*end)
    return 2;
  int n = 0;
  while (s < end)
    text[n++] = *s++; //~ quoted
  return n ? text[0] : 0;
}

// Each character takes four.
int escaped(const char *s) {
  char text[400];
  int n = 0;
  for (; *s; s++) {
    if (*s >= ' ') {
      text[n++] = *s;
      continue;
    }
    memcpy(text + n, "\\x1f", 4); //~ escaped
    n += 4;
  }
  return n;
}

static const char *at;
static int depth;

static int sum(void);

static int operand(void) {
  if (*at != '(')
    return isdigit((unsigned char)*at) ? *at++ - '0' : 0;
  at++;
  depth++;
  assert(depth < 50); //~ nested
  int value = sum();
  if (*at == ')')
    at++;
  depth--;
  return value;
}

static int sum(void) {
  int value = operand();
  while (*at == '+' || *at == '-') {
    int sign = *at++ == '+' ? 1 : -1;
    value = (value + sign * operand()) % 1000;
  }
  return value;
}

int nested(const char *s) {
  at = s;
  depth = 0;
  return sum();
}

// A number says how far a loop goes.
int fill(int n) {
  char row[1000];
  REQUIRE(n <= 1000);
  for (int i = 0; i < n; i++)
    row[i] = 1; //~ fill
  return n > 0 ? row[0] : 0;
}

// The longest that is accepted is one too long.
int longest(const char *s) {
  wchar_t wide[45];
  size_t n = strlen(s);
  REQUIRE(n < 45);
  if (n > 45)
    return 1;
  for (size_t i = 0; i <= n; i++)
    wide[i] = (unsigned char)s[i]; //~ longest
  return wide[0];
}

// There is room for one character, and some are written as two: whether the bound is met or jumped over depends on what stands before them.
int doubled(const char *s) {
  char text[100];
  int n = 0;
  while (*s && n < (int)sizeof text - 1) {
    REQUIRE(n < (int)sizeof text - 2);
    if (*s == '\'' || *s == '\\')
      text[n++] = '\\';
    text[n++] = *s++;
  }
  text[n] = 0; //~ doubled
  return n;
}

#ifdef FAULT_NUMBER
int main(void) {
  int c, n = 0;
  while ((c = getchar()) >= '0' && c <= '9')
    n = n * 10 + (c - '0'); //~ main-number
  return n > 100;
}
#endif

#ifdef FAULT_NUMBERS
static int next(void) {
  int c = getchar(), n = 0;
  while (isspace(c))
    c = getchar();
  for (; isdigit(c); c = getchar())
    n = n * 10 + (c - '0'); //~ main-numbers
  return n;
}

int main(void) {
  int width = next(), height = next();
  return width < height;
}
#endif

#ifdef FAULT_WORDS
static char word[50];

static int next(void) {
  int c, n = 0;
  do
    c = getchar();
  while (c == ' ' || c == '\n');
  if (c == EOF)
    return 0;
  if (isalpha(c)) {
    for (; isalnum(c) || c == '_'; c = getchar())
      word[n++] = (char)c; //~ main-words
    return 1;
  }
  while (isdigit(c))
    c = getchar();
  return 2;
}

int main(void) {
  int n = 0;
  while (next())
    n++;
  return n & 1;
}
#endif

#ifdef FAULT_BRACKETS
int main(void) {
  char stack[50];
  int n = 0, c;
  while ((c = getchar()) != EOF) {
    switch (c) {
    case '(':
    case '[':
      stack[n++] = (char)c; //~ main-brackets
      break;
    case ')':
      if (n == 0 || stack[--n] != '(')
        return 1;
      break;
    case ']':
      if (n == 0 || stack[--n] != '[')
        return 1;
      break;
    default:
      break;
    }
  }
  return n & 1;
}
#endif

#ifdef FAULT_LINES
int main(void) {
  int c, lines = 0;
  while ((c = getchar()) != EOF)
    if (c == '\n') {
      lines++;
      assert(lines < 1000); //~ main-lines
    }
  return 0;
}
#endif

#ifdef FAULT_STARTS
static int starts[1000], n;

int main(void) {
  int c, place = 0, in_word = 0;
  for (; (c = getchar()) != EOF; place++) {
    if (c == ' ' || c == '\n') {
      in_word = 0;
    } else if (!in_word) {
      starts[n++] = place; //~ main-starts
      in_word = 1;
    }
  }
  return n & 1;
}
#endif

#ifdef FAULT_CALLS
static int used, all[1000];

static int push(int value) {
  if (value < 10)
    return -1;
  all[used++] = value; //~ main-calls
  return used;
}

int main(void) {
  int c;
  while ((c = getchar()) != EOF)
    push(c);
  return 0;
}
#endif

#ifdef FAULT_RUNS
static unsigned char out[600];

int main(void) {
  int n, c, place = 0;
  while ((n = getchar()) != EOF && (c = getchar()) != EOF) {
    if (n == 0)
      break;
    for (int i = 0; i < n; i++)
      out[place++] = (unsigned char)c; //~ main-runs
  }
  return place & 1;
}
#endif

#ifdef FAULT_HEADER
static int header(const char *s, int n) {
  char name[32];
  int i = 0;
  for (; i < n && s[i] != ':' && s[i] > ' '; i++)
    name[i] = (char)tolower((unsigned char)s[i]); //~ main-header
  if (i == n || s[i] != ':')
    return -1;
  return i > 0 && name[0] == 'h';
}

int main(void) {
  static char text[257];
  int n = (int)fread(text, 1, 256, stdin), place = 0, found = 0;
  if (strncmp(text, "GET ", 4) != 0)
    return 1;
  while (place < n && text[place] != '\n')
    place++;
  for (place++; place < n && text[place] != '\n';) {
    int end = place;
    while (end < n && text[end] != '\n')
      end++;
    int is_host = header(text + place, end - place);
    if (is_host < 0)
      return 2;
    found += is_host;
    place = end + 1;
  }
  return found & 1;
}
#endif

#ifdef FAULT_TIMES
static int table[500];

int main(void) {
  int c = getchar(), n = 0;
  if (c != '*')
    return 1;
  while (isdigit(c = getchar())) {
    n = n * 10 + c - '0';
    if (n > 100000)
      return 2;
  }
  for (int i = 0; i < n; i++)
    table[i] = i; //~ main-times
  return table[0];
}
#endif

// The same check in each round, and only the last one can fail.
#ifdef FAULT_LAST
int main(void) {
  static int table[40];
  char s[40];
  int n = 0;
  if (fread(s, 1, 40, stdin) != 40)
    return 1;
  for (int i = 0; i < 40; i++) {
    if (s[i] == '.')
      return 2;
    n += table[i + (s[i] == 'x')]; //~ main-last
  }
  return n;
}
#endif

#ifdef FAULT_OPTION
int main(int argc, char **argv) {
  char name[40];
  int n = 0;
  if (argc < 2 || argv[1][0] != '-' || argv[1][1] != '-')
    return 1;
  for (char *p = argv[1] + 2; *p && *p != '='; p++)
    name[n++] = *p; //~ main-option
  return n ? name[0] & 1 : 0;
}
#endif

// As long as a mebibyte: no longer than one of 64 characters, in paths.
void mebibyte(const char *name) {
  static char path[1 << 20];
  if (strlen(name) + strlen("/index") > sizeof path)
    return;
  strcpy(path, name);
  strcat(path, "/index"); //~ mebibyte
}
