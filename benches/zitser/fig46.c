// The paper's figures 4.6 and 4.7: BIND's NXT record, where dlen - n is negative or too large.
//
// Shown by: dlen < n, a copy of a negative length, the paper's; or dlen from 94 - n1 to 96 - n1 (n1 being the length of the first string),
// a copy that reads behind the message, since cp has moved on since dlen was compared. dlen is at most 255, because its
// high byte is the NUL of the first string.
//
// `bare` has no NUL behind the message: then strlen reads on from its end.
//
// trial: entry=test param=msg=bytes:100 expect=out-of-bounds at=copy paths=112
// trial: entry=test param=msg=bytes:100 define=FIXED expect=clean paths=127
// trial: entry=bare param=msg=bytes:100 expect=out-of-bounds at=length
#include <stdint.h>
#include <string.h>

#define INT16SZ 2
#define MAXDATA 512
#define T_NXT 30

typedef unsigned char u_char;

#define GETSHORT(s, cp)                                                                                                \
  {                                                                                                                    \
    register u_char *t_cp = (u_char *)(cp);                                                                            \
    (s) = ((uint16_t)t_cp[0] << 8) | ((uint16_t)t_cp[1]);                                                              \
    (cp) += INT16SZ;                                                                                                   \
  }

static void rrextract(char *msg, int msglen) {
  int len = 0, n;
  short type, dlen;
  char *eom, *cp, *cp1;
  char data[MAXDATA * 2];
  eom = msg + msglen;
  cp = msg;
  n = strlen(cp); //~ length
  if (n > 15)
    return;
  cp += n;
  len += n;
  GETSHORT(dlen, cp);
  cp += 2;
  len += 2;
  if (cp + dlen > eom)
    return;
  GETSHORT(type, cp);
  cp += 2;
  len += 2;
  if (type != T_NXT)
    return;
  n = strlen(cp);
  if (n > 15)
    return;
  cp += n;
  cp1 = data;
#ifdef FIXED
  if (dlen < n || dlen - n > eom - cp)
    return;
#endif
  memcpy(cp1, cp, dlen - n); //~ copy
  cp += (dlen - n);
  cp1 += (dlen - n);
}

void test(const char *msg) {
  char area[101];
  memcpy(area, msg, 100);
  area[100] = '\0';
  rrextract(area, 100);
}

void bare(char *msg) { rrextract(msg, 100); }
