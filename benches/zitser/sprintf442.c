// The sprintf of the paper's section 4.4.2: four strings and an address into 1000 bytes.
//
// Shown by: lengths with l1 + l2 + l3 + l4 + a + 14 + 1 > 1000, a being the length of the address as text, 7 to 15: at least 986 in
// all. Each string has at most 250 characters.
//
// trial: entry=test param=sysloginfo=string:250,queryname=string:250,complaint=string:250,dname=string:250 expect=out-of-bounds at=print paths=90
// trial: entry=test param=sysloginfo=string:250,queryname=string:250,complaint=string:250,dname=string:250 define=FIXED expect=clean paths=15
#include <stdio.h>

static char *inet_text(unsigned address) {
  static char text[16];
  sprintf(text, "%u.%u.%u.%u", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
  return text;
}

int test(char *sysloginfo, char *queryname, char *complaint, char *dname, unsigned address) {
  char buf[1000];
#ifdef FIXED
  return snprintf(buf, sizeof buf, "%s: query(%s) %s (%s:%s)", sysloginfo, queryname, complaint, dname, inet_text(address));
#else
  return sprintf(buf, "%s: query(%s) %s (%s:%s)", sysloginfo, queryname, complaint, dname, inet_text(address)); //~ print
#endif
}
