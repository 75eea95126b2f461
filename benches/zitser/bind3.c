// BIND 3: inverse queries (CERT CA-98.05, CVE-1999-0009; Zitser's iquery). The one answer of an inverse query is kept to be
// sent back, in a buffer for a packet by UDP; nobody compares its length, and by TCP it may be longer.
//
// Shown by: a message of 525 bytes: 12 of the header with ANCOUNT 1 and no other count, the root, type A, RDLENGTH 502 and as
// many bytes; the answer is 513 bytes for a buffer of 512. Any length from 525 on, with RDLENGTH exactly up to the end.
//
// trial: entry=test param=msg=bytes:len<=1024 expect=out-of-bounds at=answer max-paths=100
// trial: entry=test param=msg=bytes:len<=1024 define=FIXED expect=clean max-paths=50
#include <string.h>

#define PACKETSZ 512
#define HFIXEDSZ 12
#define RRFIXEDSZ 10

enum { NOERROR, FORMERR, NXDOMAIN, REFUSED };
enum { T_A = 1, T_UID = 101, T_GID = 102 };
enum { C_IN = 1 };

static const struct host {
  const char *name;
  unsigned char address[4];
} hosts[] = {{"localhost", {127, 0, 0, 1}}, {"ns", {192, 0, 2, 53}}, {"mail", {192, 0, 2, 25}}};

static char reply[PACKETSZ + 64];
static int reply_length;

static int get_short(const unsigned char *p) { return p[0] << 8 | p[1]; }

// How many bytes a name takes, or -1.
static int dn_skipname(const unsigned char *src, const unsigned char *eom) {
  const unsigned char *cp = src;
  while (cp < eom) {
    int n = *cp++;
    if (n == 0)
      return cp - src;
    if ((n & 0xc0) == 0xc0) // a pointer ends it
      return cp < eom ? cp + 1 - src : -1;
    if ((n & 0xc0) != 0 || n > eom - cp)
      return -1;
    cp += n;
  }
  return -1;
}

static int req_iquery(const unsigned char *msg, const unsigned char *eom) {
  char anbuf[PACKETSZ];
  const unsigned char *cp = msg + HFIXEDSZ;
  int n = dn_skipname(cp, eom);
  if (n < 0 || eom - cp - n < RRFIXEDSZ)
    return FORMERR;
  cp += n;
  int type = get_short(cp), class = get_short(cp + 2), dlen = get_short(cp + 8);
  cp += RRFIXEDSZ;
  if (dlen != eom - cp)
    return FORMERR;
  cp += dlen;

  // Not all inverse queries are handled.
  switch (type) {
  case T_A:
  case T_UID:
  case T_GID:
    break;
  default:
    return REFUSED;
  }
  if (class != C_IN)
    return REFUSED;

  const unsigned char *fname = msg + HFIXEDSZ;
  int alen = cp - fname;
#ifdef FIXED
  if (alen > (int)sizeof anbuf)
    return FORMERR;
#endif
  memcpy(anbuf, fname, alen); //~ answer

  const char *data = anbuf + alen - dlen;
  for (unsigned i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
    if (dlen == 4 && memcmp(data, hosts[i].address, 4) == 0) {
      reply_length = strlen(hosts[i].name) + 1;
      memcpy(reply, hosts[i].name, reply_length);
      memcpy(reply + reply_length, anbuf, alen);
      reply_length += alen;
      return NOERROR;
    }
  return NXDOMAIN;
}

int test(const unsigned char *msg, int len) {
  if (len < HFIXEDSZ)
    return FORMERR;
  int opcode = msg[2] >> 3 & 15;
  if (opcode != 1)
    return REFUSED;
  if (get_short(msg + 4) != 0 || get_short(msg + 6) != 1 || get_short(msg + 8) != 0 || get_short(msg + 10) != 0)
    return FORMERR;
  return req_iquery(msg, msg + len);
}
