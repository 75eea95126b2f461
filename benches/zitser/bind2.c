// BIND 2: the SIG record (CERT CA-1999-14, CVE-1999-0835; Zitser's sig). Fixed fields, the signer's name as text and the
// signature are put together in one buffer; the signature's length is compared with the size of the whole buffer, not with
// what is left of it.
//
// Shown by: a signature of n bytes behind a signer's name of t characters where n <= 1024 and 18 + t + 1 + n > 1024. With the
// root as signer and owner: n = 1006, RDLENGTH 1025, a message of 1048 bytes, which came by TCP.
//
// trial: entry=test param=msg=bytes:len<=2048 expect=out-of-bounds at=signature max-paths=150
// trial: entry=test param=msg=bytes:len<=2048 define=FIXED expect=clean max-paths=50
#include <string.h>

#define HFIXEDSZ 12
#define RRFIXEDSZ 10
#define SIG_HDR_SIZE 18
#define MAXDNAME 256
#define MAXDATA 1024

enum { NOERROR, FORMERR, REFUSED };
enum { T_SIG = 24, T_ANY = 255 };

static unsigned char cached[MAXDATA];
static int cached_length;

static unsigned get_short(const unsigned char *p) { return p[0] << 8 | p[1]; }
static unsigned get_long(const unsigned char *p) { return get_short(p) << 16 | get_short(p + 2); }

// A name that is not compressed, as text with dots. Returns how many bytes it takes at src, or -1; counts its labels.
static int expand_name(const unsigned char *src, const unsigned char *end, char *dst, int *labels) {
  const unsigned char *cp = src;
  char *to = dst;
  *labels = 0;
  while (cp < end && *cp != 0) {
    int n = *cp++;
    if (n > 63 || n > end - cp || to - dst + n + 2 > MAXDNAME)
      return -1;
    if (*labels > 0)
      *to++ = '.';
    memcpy(to, cp, n);
    to += n;
    cp += n;
    ++*labels;
  }
  if (cp >= end)
    return -1;
  *to = '\0';
  return cp + 1 - src;
}

static int sig_extract(const unsigned char *cp, int dlen, int owner_labels) {
  unsigned char data[MAXDATA], *cp1 = data;
  const unsigned char *end = cp + dlen;
  int labels;
  if (dlen < SIG_HDR_SIZE)
    return FORMERR;

  unsigned covered = get_short(cp), algorithm = cp[2];
  unsigned expires = get_long(cp + 8), signed_at = get_long(cp + 12);
  if (covered == T_SIG || covered == T_ANY || algorithm == 0 || algorithm == 255)
    return FORMERR;
  if (cp[3] > owner_labels) // the labels that were signed
    return FORMERR;
  if ((int)(expires - signed_at) < 0)
    return REFUSED;
  memcpy(cp1, cp, SIG_HDR_SIZE);
  cp += SIG_HDR_SIZE;
  cp1 += SIG_HDR_SIZE;

  int n = expand_name(cp, end, (char *)cp1, &labels);
  if (n < 0)
    return FORMERR;
  cp += n;
  cp1 += strlen((char *)cp1) + 1;

  // The rest is the signature.
  n = dlen - (SIG_HDR_SIZE + n);
#ifdef FIXED
  if (n > (int)sizeof data - (cp1 - data))
#else
  if (n > (int)sizeof data)
#endif
    return FORMERR;
  memcpy(cp1, cp, n); //~ signature
  cp1 += n;

  cached_length = cp1 - data;
  memcpy(cached, data, cached_length);
  return NOERROR;
}

int test(const unsigned char *msg, int len) {
  char owner[MAXDNAME];
  int labels;
  if (len < HFIXEDSZ || get_short(msg + 4) != 0 || get_short(msg + 6) != 1)
    return FORMERR;
  const unsigned char *cp = msg + HFIXEDSZ, *eom = msg + len;
  int n = expand_name(cp, eom, owner, &labels);
  if (n < 0 || eom - cp - n < RRFIXEDSZ)
    return FORMERR;
  cp += n;
  int type = get_short(cp), dlen = get_short(cp + 8);
  cp += RRFIXEDSZ;
  if (dlen > eom - cp)
    return FORMERR;
  return type == T_SIG ? sig_extract(cp, dlen, labels) : REFUSED;
}
