// Sendmail 4: mime7to8, quoted-printable (CVE-1999-0047; Zitser's mime2). Lines of the text are decoded into a buffer, and a line
// that ends with `=` goes on in the next one. The function that decodes a line counts what it stores, from zero for each,
// and is always told that there is room for a whole line, also where one is continued.
//
// Shown by: "xx=\n" and 2047 characters other than `=` and newline. In general: what stands in lines with a soft end, and in the
// line behind them, of which at most 2047 characters are read at once, and a NUL, are more than 2049 bytes.
//
// trial: entry=test expect=out-of-bounds at=store max-paths=150
// trial: entry=test define=FIXED expect=clean max-paths=10
#include <string.h>

#define MAXLINE 2048

static char fbuf[MAXLINE + 1], *fbufp;
static unsigned lines;

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

static void store(char c) {
  *fbufp++ = c; //~ store
}

// Decodes one line, at most max bytes of it. Returns 0 if it goes on in the next one.
static int mime_fromqp(const char *in, int max) {
  int nchar = 0;
  char c;
  while ((c = *in++) != '\0') {
    if (c != '=') {
      if (++nchar > max)
        break;
      store(c);
      if (c == '\n')
        break;
      continue;
    }
    if ((c = *in++) == '\n')
      return 0; // a soft end of the line
    if (c == '\0')
      break;
    int high = hex_digit(c), low = hex_digit(*in);
    if (high < 0 || low < 0)
      continue; // no code: left out
    in++;
    if (++nchar > max)
      break;
    store(high << 4 | low);
  }
  return 1;
}

// What fgets does, with a text for a file.
static int next_line(const char **text, char *line, size_t size) {
  const char *end = strchr(*text, '\n');
  size_t n = end != NULL ? (size_t)(end - *text) + 1 : strlen(*text);
  if (n == 0)
    return 0;
  if (n > size - 1)
    n = size - 1;
  memcpy(line, *text, n);
  line[n] = '\0';
  *text += n;
  return 1;
}

static void put_line(void) {
  store('\0');
  lines++;
  fbufp = fbuf;
}

void test(const char *text) {
  char line[MAXLINE];
  fbufp = fbuf;
  while (next_line(&text, line, sizeof line)) {
#ifdef FIXED
    int max = &fbuf[MAXLINE] - fbufp;
#else
    int max = MAXLINE;
#endif
    if (mime_fromqp(line, max) == 0)
      continue;
    put_line();
  }
  if (fbufp > fbuf)
    put_line();
}
