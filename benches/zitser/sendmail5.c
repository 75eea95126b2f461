// Sendmail 5: prescan (CERT CA-2003-12, CVE-2003-0161; Zitser's prescan). An address is split into tokens, one behind the other in
// a buffer. Whether there is room is asked before the character that was looked at ahead is stored, unless that is
// NOCHAR, -1. The character 255 is the same number where `char` is signed: behind a backslash, which is stored
// at once, it leaves the question out.
//
// Shown by: "\\\377" again and again: 1256 times, 2512 characters. Or by 1251 letters and "\\\377" five times, 1261 characters:
// 1256 bytes are full, and the NUL of the token comes behind them. (625 times "@", a letter and "\\\377" five times is shorter: an
// operator takes two bytes, as it is a token of its own.)
//
// trial: entry=test expect=out-of-bounds at=put max-paths=2000
// trial: entry=test define=FIXED expect=clean max-paths=100
#include <stddef.h>
#include <string.h>

#define MAXNAME 256
#define MAXATOM 1000
#define PSBUFSIZE (MAXNAME + MAXATOM)
#define NOCHAR (-1)

enum state { ATOM, QUOTE, SPACE, OPERATOR };

static char pvpbuf[PSBUFSIZE], *q;
static char *av[MAXATOM + 1];

static void put(int c) {
  *q++ = c; //~ put
}

static enum state state_for(int c, enum state state) {
  if (state == QUOTE)
    return c == '"' ? ATOM : QUOTE;
  if (c == '"')
    return QUOTE;
  if (c == ' ' || c == '\t' || c == '\n')
    return SPACE;
  return c > 0 && strchr("<>@,;:.!/%[]", c) != NULL ? OPERATOR : ATOM;
}

// Splits an address into tokens in av. Returns how many, or -1.
static int prescan(const char *p) {
  enum state state = SPACE;
  int c = NOCHAR, is_escaped = 0, comments = 0, count = 0;

  q = pvpbuf;
  do {
    char *tok = q;
    for (;;) {
      // The character that ended the last token, or that belongs to this one.
      if (c != NOCHAR) {
        if (q >= &pvpbuf[PSBUFSIZE - 5])
          return -1; // address too long
        put(c);
      }
#ifdef FIXED
      c = *p++ & 255;
#else
      c = *p++;
#endif
      if (c == '\0')
        break;

      if (is_escaped) {
        is_escaped = 0;
        if (comments > 0)
          c = NOCHAR;
        else if (c != '!' || state == QUOTE)
          put('\\');
        continue;
      }
      if (c == '\\') {
        is_escaped = 1;
        c = NOCHAR;
        continue;
      }
      if (state != QUOTE && c == '(') {
        comments++;
        c = NOCHAR;
      } else if (state != QUOTE && comments > 0) {
        comments -= c == ')';
        c = NOCHAR;
      }
      if (c == NOCHAR)
        continue;

      enum state before = state;
      state = state_for(c, state);
      if (state == SPACE)
        c = NOCHAR;
      if (state != before || state == OPERATOR)
        break;
    }
    if (tok != q) {
      if (count >= MAXATOM)
        return -1; // too many tokens
      put('\0');
      av[count++] = tok;
    }
  } while (c != '\0');
  av[count] = NULL;
  return state == QUOTE || comments > 0 ? -1 : count;
}

int test(const char *addr) { return prescan(addr); }
