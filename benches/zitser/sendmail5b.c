// Sendmail 5 as the paper tells it: a bound that is not checked for runs of `/`. An address such as /usr/spool/x|/C=de/O=uni/
// is split into its parts, each stored with a NUL. Whether there is room is asked for every letter, but of a run of separators
// only for the last one.
//
// Shown by: "/" 1258 times (the last one is not reached), or by 1251 letters and "/" six times.
//
// trial: entry=test expect=out-of-bounds at=put max-paths=400
// trial: entry=test define=FIXED expect=clean max-paths=400
#define MAXNAME 256
#define MAXATOM 1000
#define PSBUFSIZE (MAXNAME + MAXATOM)

static char pvpbuf[PSBUFSIZE], *q;

static void put(char c) {
  *q++ = c; //~ put
}

static int is_full(void) { return q >= &pvpbuf[PSBUFSIZE - 5]; }

// Returns the number of parts, or -1 if the address is too long or has characters that may not be in one.
static int split(const char *p) {
  int parts = 0, within = 0;
  char c;
  q = pvpbuf;
  while ((c = *p++) != '\0') {
    if (c < ' ' || c == 127)
      return -1;
    if (c == '/') {
      if (within) {
        put('\0');
        within = 0;
      }
#ifdef FIXED
      if (is_full())
        return -1;
#else
      if (p[0] != '/' && is_full())
        return -1;
#endif
      put(c);
      continue;
    }
    if (is_full())
      return -1;
    if (!within)
      parts++;
    within = 1;
    put(c);
  }
  if (within)
    put('\0');
  return parts;
}

int test(const char *addr) { return split(addr); }
