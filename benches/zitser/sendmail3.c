// Sendmail 3: mime7to8, base64 (CERT CA-97.05, CVE-1999-0047; Zitser's mime1). Text is decoded into a line, which is put out and
// begun again at its end or when it is full. Whether it is full is asked of the wrong variable (`fbuf` for `fbufp`), so that
// only the end of a line begins it again.
//
// Shown by: 2732 letters such as 'x', which are 2049 bytes without a newline; the NUL comes behind the buffer of 2049.
//
// trial: entry=test expect=out-of-bounds at=store max-paths=50
// trial: entry=test define=FIXED expect=clean max-paths=50
#define MAXLINE 2048
#define END (-1)
#define PAD 64
#define XX 65

static const unsigned char index64[128] = {
    XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX,  XX, XX, XX,
    XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, 62, XX, XX, XX, 63, 52,  53, 54, 55,
    56, 57, 58, 59, 60, 61, XX, XX, XX, PAD, XX, XX, XX, 0, 1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
    13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, XX, XX, XX, XX, XX, XX, 26, 27, 28, 29, 30, 31, 32,
    33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, XX, XX, XX, XX, XX,
};

static const char *body;
static char fbuf[MAXLINE + 1], *fbufp;
static unsigned lines;

// The next digit of the encoded text, the sign for padding, or the end; all else is left out.
static int next_digit(void) {
  while (*body != '\0') {
    unsigned char c = *body++;
    if (c < 128 && index64[c] != XX)
      return index64[c];
  }
  return END;
}

static void store(int c) {
  *fbufp++ = c; //~ store
}

static void put_line(void) {
  if (fbufp > fbuf && fbufp[-1] == '\n') {
    fbufp--;
    if (fbufp > fbuf && fbufp[-1] == '\r')
      fbufp--;
  }
  store('\0');
  lines++;
  fbufp = fbuf;
}

static void put_byte(int c) {
  c &= 255;
  store(c);
#ifdef FIXED
  if (c == '\n' || fbufp >= &fbuf[MAXLINE])
#else
  if (c == '\n' || fbuf >= &fbuf[MAXLINE])
#endif
    put_line();
}

static void mime7to8(void) {
  int c1, c2, c3, c4;
  fbufp = fbuf;
  while ((c1 = next_digit()) != END) {
    if ((c2 = next_digit()) == END || c1 == PAD || c2 == PAD)
      break;
    put_byte(c1 << 2 | c2 >> 4);
    if ((c3 = next_digit()) == END || c3 == PAD)
      break;
    put_byte((c2 & 15) << 4 | c3 >> 2);
    if ((c4 = next_digit()) == END || c4 == PAD)
      break;
    put_byte((c3 & 3) << 6 | c4);
  }
  if (fbufp > fbuf)
    put_line();
}

void test(const char *text) {
  body = text;
  mime7to8();
}
