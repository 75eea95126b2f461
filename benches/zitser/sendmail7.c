// Sendmail 7: TXT records in the DNS map (CVE-2002-0906; Zitser's txt-dns). The text of a record is copied into memory of the
// record's size by strncpy, whose bound is the byte in front of the text; whoever sends the answer chooses it.
//
// Shown by: a TXT record whose first byte is larger than its RDLENGTH (strncpy fills with NULs, so that the text may be short), or
// with a text that has no NUL up to the message's end and is shorter than that byte. The shortest: 24 bytes, no
// question, the root, RDLENGTH 1, byte 1 (nothing behind it to be read), or byte 2 with one NUL behind it (25 bytes).
//
// trial: entry=test param=data=bytes:len<=512 expect=out-of-bounds at=text max-paths=60
// trial: entry=test param=data=bytes:len<=512 define=FIXED expect=clean max-paths=37
#include <stdlib.h>
#include <string.h>

#define HFIXEDSZ 12
#define QFIXEDSZ 4
#define RRFIXEDSZ 10

enum { T_A = 1, T_MX = 15, T_TXT = 16 };

struct record {
  struct record *next;
  int type, size, preference;
  unsigned char address[4];
  char *text;
};

static int get_short(const unsigned char *p) { return p[0] << 8 | p[1]; }

static int dn_skipname(const unsigned char *src, const unsigned char *eom) {
  const unsigned char *cp = src;
  while (cp < eom) {
    int n = *cp++;
    if (n == 0)
      return cp - src;
    if ((n & 0xc0) == 0xc0)
      return cp < eom ? cp + 1 - src : -1;
    if ((n & 0xc0) != 0 || n > eom - cp)
      return -1;
    cp += n;
  }
  return -1;
}

static void dns_free(struct record *r) {
  while (r != NULL) {
    struct record *next = r->next;
    free(r->text);
    free(r);
    r = next;
  }
}

// Fills a record with what is at p.
static int parse_data(struct record *r, const unsigned char *p) {
  switch (r->type) {
  case T_A:
    if (r->size != 4)
      return 0;
    memcpy(r->address, p, 4);
    return 1;
  case T_MX:
    if (r->size < 3)
      return 0;
    r->preference = get_short(p);
    return 1;
  case T_TXT:
    if (r->size < 1)
      return 0;
#ifdef FIXED
    if (*p >= r->size)
      return 0;
#endif
    r->text = calloc(1, r->size);
    if (r->text == NULL)
      return 0;
    strncpy(r->text, (const char *)p + 1, *p); //~ text
    r->text[r->size - 1] = '\0';
    return 1;
  default:
    return 1;
  }
}

static struct record *parse_dns_reply(const unsigned char *data, int len) {
  struct record *all = NULL;
  if (len < HFIXEDSZ)
    return NULL;
  const unsigned char *p = data + HFIXEDSZ, *eom = data + len;
  int questions = get_short(data + 4), answers = get_short(data + 6), n;
  if (questions > 1)
    return NULL;
  if (questions == 1) {
    if ((n = dn_skipname(p, eom)) < 0 || eom - p - n < QFIXEDSZ)
      return NULL;
    p += n + QFIXEDSZ;
  }
  while (answers-- > 0) {
    if ((n = dn_skipname(p, eom)) < 0 || eom - p - n < RRFIXEDSZ)
      break;
    p += n;
    struct record *r = calloc(1, sizeof *r);
    if (r == NULL)
      break;
    r->next = all;
    all = r;
    r->type = get_short(p);
    r->size = get_short(p + 8);
    p += RRFIXEDSZ;
    if (r->size > eom - p || !parse_data(r, p))
      break;
    p += r->size;
  }
  return all;
}

int test(const unsigned char *data, int len) {
  int found = 0;
  struct record *all = parse_dns_reply(data, len);
  for (struct record *r = all; r != NULL; r = r->next)
    if (r->type == T_TXT && r->text != NULL)
      found += r->text[0] != '\0';
  dns_free(all);
  return found;
}
