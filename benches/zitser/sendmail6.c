// Sendmail 6: tTflag, the argument -d of anybody (CVE-2001-0653; Zitser's tTflag). The categories to debug are numbers that are
// brought down to the size of the table, as signed numbers: one from 2147483648 on is negative and stays so.
//
// Shown by: the argument "-d2147483648": ten digits (or more, modulo 2^32), a first number whose bit 31 is set.
//
// trial: entry=test expect=out-of-bounds at=flag max-paths=80
// trial: entry=test define=FIXED expect=clean max-paths=80
// As a program: --sym-arg 13.
#include <ctype.h>
#include <string.h>

#define TTSIZE 100

static unsigned char tTdvect[TTSIZE];

static int is_digit(char c) { return isdigit((unsigned char)c) != 0; }

// Reads a number; larger ones wrap.
static unsigned number(const char **s) {
  unsigned i = 0;
  while (is_digit(**s))
    i = i * 10 + (*(*s)++ - '0');
  return i;
}

// Sets flags from a text such as "0-44.1,98.5": categories, and the level for them.
static void tTflag(const char *s) {
#ifdef FIXED
  unsigned first, last;
#else
  int first, last;
#endif
  unsigned level;
  if (*s == '\0')
    s = "0-99.1";
  for (;;) {
    // Find the first and the last flag to set.
    first = last = number(&s);
    if (*s == '-') {
      s++;
      last = number(&s);
    }
    // Find the level.
    level = 1;
    if (*s == '.') {
      s++;
      level = number(&s);
    }
    // Clean up the arguments.
    if (first >= TTSIZE)
      first = TTSIZE - 1;
    if (last >= TTSIZE)
      last = TTSIZE - 1;
    // Set the flags.
    while (first <= last)
      tTdvect[first++] = level; //~ flag
    // More arguments?
    if (*s++ == '\0')
      return;
  }
}

int test(const char *flags) {
  tTflag(flags);
  return tTdvect[0];
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "-d", 2) == 0)
      tTflag(argv[i] + 2);
  return tTdvect[0] > 0;
}
