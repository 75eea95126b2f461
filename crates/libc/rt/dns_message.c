// Messages of the domain name system: numbers and records in them. Names are in dns_name.c.

#include "rt.h"

#include <arpa/nameser.h>

static int fail(void) { return __rt_fail(EMSGSIZE); }

static unsigned get16(const unsigned char *from) { return (unsigned)from[0] << 8 | from[1]; }
static uint32_t get32(const unsigned char *from) { return get16(from) << 16 | get16(from + 2); }

static void put16(unsigned value, unsigned char *to) {
  to[0] = (unsigned char)(value >> 8);
  to[1] = (unsigned char)value;
}

unsigned ns_get16(const unsigned char *from) { return get16(from); }
unsigned long ns_get32(const unsigned char *from) { return get32(from); }
void ns_put16(unsigned value, unsigned char *to) { put16(value, to); }

void ns_put32(unsigned long value, unsigned char *to) {
  put16((unsigned)(value >> 16) & 0xffff, to);
  put16((unsigned)value & 0xffff, to + 2);
}

int ns_msg_getflag(ns_msg message, int flag) {
  static const struct {
    int mask, shift;
  } flags[] = {{0x8000, 15}, {0x7800, 11}, {0x0400, 10}, {0x0200, 9}, {0x0100, 8},
               {0x0080, 7},  {0x0040, 6},  {0x0020, 5},  {0x0010, 4}, {0x000f, 0}};
  if (flag < 0 || (size_t)flag >= sizeof flags / sizeof flags[0]) return 0;
  return (message._flags & flags[flag].mask) >> flags[flag].shift;
}

// The length of so many records.
static int skip(const unsigned char *start, const unsigned char *end, ns_sect section, int count) {
  const unsigned char *p = start;
  for (; count > 0; count--) {
    int length = __rt_skip_name(p, end);
    if (length < 0) return fail();
    p += length + NS_INT16SZ + NS_INT16SZ;
    if (section == ns_s_qd) continue;
    if (p + NS_INT32SZ + NS_INT16SZ > end) return fail();
    p += NS_INT32SZ;
    p += NS_INT16SZ + get16(p);
  }
  return p > end ? fail() : (int)(p - start);
}

int ns_skiprr(const unsigned char *start, const unsigned char *end, ns_sect section, int count) {
  return skip(start, end, section, count);
}

static void go_to(ns_msg *message, ns_sect section) {
  message->_sect = section;
  message->_rrnum = section == ns_s_max ? -1 : 0;
  message->_msg_ptr = section == ns_s_max ? NULL : message->_sections[section];
}

int ns_initparse(const unsigned char *bytes, int n, ns_msg *message) {
  const unsigned char *p = bytes, *end = bytes + n;
  memset(message, 0x5e, sizeof *message);
  message->_msg = bytes;
  message->_eom = end;
  if (n < NS_HFIXEDSZ) return fail();
  message->_id = (uint16_t)get16(p);
  message->_flags = (uint16_t)get16(p + NS_INT16SZ);
  p += 2 * NS_INT16SZ;
  for (int i = 0; i < ns_s_max; i++, p += NS_INT16SZ) message->_counts[i] = (uint16_t)get16(p);
  for (int i = 0; i < ns_s_max; i++) {
    int length = skip(p, end, (ns_sect)i, message->_counts[i]);
    if (length < 0) return -1;
    message->_sections[i] = message->_counts[i] ? p : NULL;
    p += length;
  }
  if (p != end) return fail();
  go_to(message, ns_s_max);
  return 0;
}

// What comes after the name of a record.
static int read_fields(ns_msg *message, ns_sect section, ns_rr *record) {
  const unsigned char *end = message->_eom;
  if (message->_msg_ptr + 2 * NS_INT16SZ > end) return fail();
  record->type = (uint16_t)get16(message->_msg_ptr);
  record->rr_class = (uint16_t)get16(message->_msg_ptr + NS_INT16SZ);
  message->_msg_ptr += 2 * NS_INT16SZ;
  record->ttl = 0;
  record->rdlength = 0;
  record->rdata = NULL;
  if (section == ns_s_qd) return 0;
  if (message->_msg_ptr + NS_INT32SZ + NS_INT16SZ > end) return fail();
  record->ttl = get32(message->_msg_ptr);
  record->rdlength = (uint16_t)get16(message->_msg_ptr + NS_INT32SZ);
  message->_msg_ptr += NS_INT32SZ + NS_INT16SZ;
  if (message->_msg_ptr + record->rdlength > end) return fail();
  record->rdata = message->_msg_ptr;
  message->_msg_ptr += record->rdlength;
  return 0;
}

int ns_parserr(ns_msg *message, ns_sect section, int number, ns_rr *record) {
  int length;
  if ((int)section < 0 || section >= ns_s_max) return __rt_fail(ENODEV);
  if (section != message->_sect) go_to(message, section);
  if (number == -1) number = message->_rrnum;
  if (number < 0 || number >= message->_counts[section]) return __rt_fail(ENODEV);
  if (number < message->_rrnum) go_to(message, section);
  if (number > message->_rrnum) {
    length = skip(message->_msg_ptr, message->_eom, section, number - message->_rrnum);
    if (length < 0) return -1;
    message->_msg_ptr += length;
    message->_rrnum = number;
  }
  length = __rt_expand_name(message->_msg, message->_eom, message->_msg_ptr, record->name, NS_MAXDNAME);
  if (length < 0) return -1;
  message->_msg_ptr += length;
  if (read_fields(message, section, record) < 0) return -1;
  if (++message->_rrnum > message->_counts[section]) go_to(message, section + 1);
  return 0;
}
