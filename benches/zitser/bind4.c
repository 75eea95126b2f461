// BIND 4: nslookupComplain (CERT CA-2001-02, CVE-2001-0011 and -0013; Zitser's bind4). A complaint on the address of a name
// server is put together from names of the message by sprintf, into a buffer that three of them don't fit into.
//
// Shown by: an address that is no server's, and names (each of at most 1024 characters) with q + d + s + c + a + 35 + 1 > 999:
// their lengths, those of the complaint (19 or 20) and of the address as text (7 to 15), the other text, the NUL. For 0.0.0.0
// that is q + d + s >= 937, for 255.255.255.255 it is 929, the least of all; one long name is enough.
//
// trial: entry=test expect=out-of-bounds at=complaint max-paths=40
// trial: entry=test define=FIXED expect=clean max-paths=3
#include <stdio.h>
#include <string.h>

#define MAXDNAME 1025

static unsigned complaints;
static char last[999];

static char *inet_text(unsigned address) {
  static char text[16];
  sprintf(text, "%u.%u.%u.%u", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
  return text;
}

static void to_log(const char *line) {
  complaints++;
  strcpy(last, line);
}

static void nslookup_complain(const char *sysloginfo, const char *queryname, const char *complaint, const char *dname,
                              unsigned address, const char *source) {
  char buf[999];
#ifdef FIXED
  snprintf(buf, sizeof buf, "%s: query(%s) %s (%s:%s) learnt (NS=%s)", sysloginfo, queryname, complaint, dname,
           inet_text(address), source);
#else
  sprintf(buf, "%s: query(%s) %s (%s:%s) learnt (NS=%s)", sysloginfo, queryname, complaint, dname, //~ complaint
          inet_text(address), source);
#endif
  to_log(buf);
}

// What is wrong with the address of a name server, or null.
static const char *bogus(unsigned address) {
  if (address == 0)
    return "Bogus (0.0.0.0) A RR";
  if (address >> 24 == 127)
    return "Bogus LOOPBACK A RR";
  if (address == 0xffffffff)
    return "Bogus BROADCAST A RR";
  if (address >> 28 == 14)
    return "Bogus MULTICAST A RR";
  return NULL;
}

static int is_name(const char *name) { return strlen(name) < MAXDNAME; }

// May the server of this name and address be asked for queryname? The address was learnt from source.
int test(const char *queryname, const char *dname, unsigned address, const char *source) {
  if (!is_name(queryname) || !is_name(dname) || !is_name(source))
    return -1;
  const char *complaint = bogus(address);
  if (complaint == NULL)
    return 1;
  nslookup_complain("sysquery", queryname, complaint, dname, address, source);
  return 0;
}
