// Sendmail 1: crackaddr (CERT CA-2003-07, CVE-2002-1337; Zitser's crackaddr). An address is copied, quotes, comments and angle
// brackets balanced; each bracket that is open takes one byte off the limit for the one that will close it, and gives it
// back when it is closed. For `<` the limit is not lowered, but for `>` it is raised: each `<>` moves it on by one, until it is
// behind the buffer.
//
// Shown by: "<>" again and again, 257 characters or more. Also by "<>" seven times and 243 letters; and by fewer characters if comments
// are left open, since each of them is closed at the end.
//
// trial: entry=test expect=out-of-bounds at=put max-paths=150
// trial: entry=test define=FIXED expect=clean max-paths=100
#define MAXNAME 256

static char buf[MAXNAME + 1];
static char *bp;

static void put(char c) {
  *bp++ = c; //~ put
}

static char *crackaddr(const char *addr) {
  char *limit = &buf[sizeof buf - 7]; // what closes a quotation, the end, and an escape fit behind it
  int comments = 0, real_comments = 0;  // open ones, and those of which the opening one was copied
  int angle = 0, real_angle = 0;
  int quoted = 0, real_quoted = 0;
  char c;

  bp = buf;
  while (*addr == ' ' || *addr == '\t')
    addr++;
  while ((c = *addr++) != '\0') {
    // If the buffer is full, the syntax is followed, but nothing is copied except what closes.
    int skipping = bp >= limit;

    if (c == '\\') {
      if (*addr == '\0')
        break;
      if (!skipping) {
        put(c);
        put(*addr);
      }
      addr++;
      continue;
    }
    if (c == '"' && comments == 0) {
      quoted = !quoted;
      if (!quoted && real_quoted) {
        real_quoted = 0;
        put(c);
      } else if (quoted && !skipping) {
        real_quoted = 1;
        put(c);
      }
      continue;
    }
    if (quoted) {
      if (!skipping)
        put(c);
      continue;
    }

    switch (c) {
    case '(':
      comments++;
      if (!skipping) {
        real_comments++;
        limit--;
        put(c);
      }
      break;
    case ')':
      if (comments == 0)
        break; // closes nothing: dropped
      if (comments == real_comments) {
        real_comments--;
        limit++;
        put(c);
      }
      comments--;
      break;
    case '<':
      if (comments > 0 || angle)
        break;
      angle = 1;
      if (!skipping) {
        real_angle = 1;
#ifdef FIXED
        limit--;
#endif
        put(c);
      }
      break;
    case '>':
      if (comments > 0 || !angle)
        break;
      angle = 0;
      if (real_angle) {
        real_angle = 0;
        limit++;
        put(c);
      }
      break;
    default:
      if (!skipping)
        put(c);
    }
  }

  // Whatever is still open is closed.
  if (real_quoted)
    put('"');
  while (real_comments-- > 0)
    put(')');
  if (real_angle)
    put('>');
  put('\0');
  return buf;
}

int test(const char *addr) { return *crackaddr(addr); }
