// BIND 1: the NXT record (CERT CA-1999-14, CVE-1999-0833; Zitser's nxt). A response holds a record whose data is a name and
// a bit map behind it. What the name takes of the message is subtracted from the record's length, which nobody has
// compared with it: the difference becomes negative, and a huge number as the length of the copy.
//
// Shown by: an NXT record whose RDLENGTH is smaller than its name is long. The shortest one has 24 bytes: 12 of a header
// with ANCOUNT 1, the root as owner, type 30, RDLENGTH 0, the root as next name: 1 byte of name, copied length -1.
//
// trial: entry=test expect=out-of-bounds at=bitmap max-paths=100
// trial: entry=test define=FIXED expect=clean max-paths=37
#include <string.h>

#define PACKETSZ 512
#define HFIXEDSZ 12
#define QFIXEDSZ 4
#define RRFIXEDSZ 10
#define MAXDNAME 256
#define MAXDATA 512

enum { NOERROR, FORMERR, NOTIMP };
enum { T_A = 1, T_NS = 2, T_CNAME = 5, T_TXT = 16, T_NXT = 30 };

static unsigned char cached[MAXDATA * 2];
static int cached_length;

static int get_short(const unsigned char *p) { return p[0] << 8 | p[1]; }

// Expands the name at src, which may be compressed, to text with dots. Returns how many bytes it takes at src, or -1.
static int dn_expand(const unsigned char *msg, const unsigned char *eom, const unsigned char *src, char *dst, int size) {
  const unsigned char *cp = src;
  int length = -1, seen = 0, used = 0;
  for (;;) {
    if (cp >= eom)
      return -1;
    int n = *cp++;
    if (n == 0)
      break;
    switch (n & 0xc0) {
    case 0: // a label
      if (n > eom - cp || used + n + 2 > size)
        return -1;
      if (used > 0)
        dst[used++] = '.';
      memcpy(dst + used, cp, n);
      used += n;
      cp += n;
      seen += n + 1;
      break;
    case 0xc0: // a pointer to another place in the message
      if (cp >= eom)
        return -1;
      if (length < 0)
        length = cp + 1 - src;
      n = (n & 0x3f) << 8 | *cp;
      if (n >= eom - msg)
        return -1;
      cp = msg + n;
      seen += 2;
      if (seen >= eom - msg) // a loop of pointers
        return -1;
      break;
    default:
      return -1;
    }
  }
  dst[used] = '\0';
  return length < 0 ? cp - src : length;
}

// Takes the record at rrp into the cache. Returns where the next one is, or null with the reason in rcode.
static const unsigned char *rrextract(const unsigned char *msg, const unsigned char *eom, const unsigned char *rrp, int *rcode) {
  unsigned char data[MAXDATA * 2], *cp1 = data;
  char dname[MAXDNAME];
  const unsigned char *cp = rrp;
  *rcode = FORMERR;
  int n = dn_expand(msg, eom, cp, dname, sizeof dname);
  if (n < 0 || eom - cp - n < RRFIXEDSZ)
    return NULL;
  cp += n;
  int type = get_short(cp), dlen = get_short(cp + 8);
  cp += RRFIXEDSZ;
  if (dlen > eom - cp)
    return NULL;
  const unsigned char *next = cp + dlen;

  switch (type) {
  case T_A:
    if (dlen != 4)
      return NULL;
    memcpy(cp1, cp, 4);
    cp1 += 4;
    break;
  case T_NS:
  case T_CNAME:
    n = dn_expand(msg, eom, cp, (char *)data, MAXDNAME);
    if (n < 0 || n != dlen)
      return NULL;
    cp1 += strlen((char *)cp1) + 1;
    break;
  case T_TXT:
    memcpy(cp1, cp, dlen);
    cp1 += dlen;
    break;
  case T_NXT:
    n = dn_expand(msg, eom, cp, (char *)data, MAXDNAME);
    if (n < 0)
      return NULL;
    cp += n;
    cp1 += strlen((char *)cp1) + 1;
#ifdef FIXED
    if (dlen < n || dlen - n > (int)sizeof data - (cp1 - data))
      return NULL;
#endif
    memcpy(cp1, cp, dlen - n); //~ bitmap
    cp1 += dlen - n;
    break;
  default:
    *rcode = NOTIMP;
    return NULL;
  }
  cached_length = cp1 - data;
  memcpy(cached, data, cached_length);
  *rcode = NOERROR;
  return next;
}

int test(const unsigned char *msg, int len) {
  int rcode = NOERROR;
  if (len < HFIXEDSZ || len > PACKETSZ)
    return FORMERR;
  int qdcount = get_short(msg + 4), ancount = get_short(msg + 6);
  const unsigned char *eom = msg + len, *cp = msg + HFIXEDSZ;
  if (qdcount > 1)
    return FORMERR;
  if (qdcount == 1) {
    char qname[MAXDNAME];
    int n = dn_expand(msg, eom, cp, qname, sizeof qname);
    if (n < 0 || eom - cp - n < QFIXEDSZ)
      return FORMERR;
    cp += n + QFIXEDSZ;
  }
  while (ancount-- > 0 && cp != NULL)
    cp = rrextract(msg, eom, cp, &rcode);
  return rcode;
}
