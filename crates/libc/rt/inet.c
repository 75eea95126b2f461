// Addresses of the network as text and as numbers. Nothing here looks at the network.

#include "rt.h"

#include <arpa/inet.h>

const struct in6_addr in6addr_any;
const struct in6_addr in6addr_loopback = {{{[15] = 1}}};

// ---- Text of one to four numbers, as old as C: 127.1 and 0x7f000001 are addresses too

static int is_end(char c) { return c == '\0' || __rt_is_space(c); }

static int read_address(const char *text, struct in_addr *out) {
  static const uint32_t greatest[] = {0xffffffff, 0xffffff, 0xffff, 0xff};
  uint32_t value = 0;
  for (int i = 0;; i++) {
    struct parsed_integer number;
    if (!__rt_is_digit(*text)) return 0;
    number = __rt_parse_integer(text, NULL, 0, RT_C99_INTEGER);
    if (number.overflow || number.magnitude > 0xffffffff) return 0;
    text += number.length;
    if (*text == '.') {
      if (i == 3 || number.magnitude > 0xff) return 0;
      value |= (uint32_t)number.magnitude << (24 - 8 * i);
      text++;
      continue;
    }
    if (!is_end(*text) || number.magnitude > greatest[i]) return 0;
    if (out) out->s_addr = __builtin_bswap32(value | (uint32_t)number.magnitude);
    return 1;
  }
}

int inet_aton(const char *text, struct in_addr *out) { return read_address(text, out); }

in_addr_t inet_addr(const char *text) {
  struct in_addr address;
  return read_address(text, &address) ? address.s_addr : INADDR_NONE;
}

// One number of a network's, with its end. An x alone makes it hexadecimal.
static int read_part(const char **text, uint32_t *value) {
  unsigned base = 10, digit;
  int any_digit = 0;
  const char *p = *text;
  *value = 0;
  if (*p == '0') {
    any_digit = 1;
    base = 8;
    p++;
  }
  if (*p == 'x' || *p == 'X') {
    any_digit = 0;
    base = 16;
    p++;
  }
  for (; (digit = __rt_digit_value(*p)) < (base == 8 ? 10 : base); p++) {
    if (digit >= base) return 0;
    *value = *value * base + digit;
    any_digit = 1;
  }
  *text = p;
  return any_digit && *value <= 0xff;
}

in_addr_t inet_network(const char *text) {
  uint32_t network = 0, part;
  for (int i = 0; i < 4; i++) {
    if (!read_part(&text, &part)) return INADDR_NONE;
    network = network << 8 | part;
    if (*text != '.') break;
    if (i == 3) return INADDR_NONE;
    text++;
  }
  while (__rt_is_space(*text)) text++;
  return *text == '\0' ? network : INADDR_NONE;
}

// ---- Networks and hosts, by the classes that addresses once had

static uint32_t host_mask(uint32_t address) {
  return !(address & 0x80000000) ? 0xffffff : !(address & 0x40000000) ? 0xffff : 0xff;
}

in_addr_t inet_lnaof(struct in_addr in) {
  uint32_t address = __builtin_bswap32(in.s_addr);
  return address & host_mask(address);
}

in_addr_t inet_netof(struct in_addr in) {
  uint32_t address = __builtin_bswap32(in.s_addr), mask = host_mask(address);
  return (address & ~mask) >> __builtin_popcount(mask);
}

struct in_addr inet_makeaddr(in_addr_t net, in_addr_t host) {
  uint32_t address = net < 128       ? net << 24 | (host & 0xffffff)
                     : net < 1 << 16 ? net << 16 | (host & 0xffff)
                     : net < 1 << 24 ? net << 8 | (host & 0xff)
                                     : net | host;
  return (struct in_addr){__builtin_bswap32(address)};
}

// ---- Numbers to text

static char *put_decimal(char *to, unsigned byte) {
  if (byte >= 100) *to++ = (char)('0' + byte / 100);
  if (byte >= 10) *to++ = (char)('0' + byte / 10 % 10);
  *to++ = (char)('0' + byte % 10);
  return to;
}

static char *put_dotted(char *to, const unsigned char bytes[4]) {
  for (int i = 0; i < 4; i++) {
    if (i > 0) *to++ = '.';
    to = put_decimal(to, bytes[i]);
  }
  return to;
}

static char *put_hex(char *to, unsigned word) {
  int shift = 12;
  while (shift > 0 && word >> shift == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) *to++ = "0123456789abcdef"[word >> shift & 15];
  return to;
}

enum { N_WORDS = 8 };

// The first of the longest runs of zeros, which :: stands for, if that spares anything.
static int longest_zeros(const unsigned words[N_WORDS], int *length) {
  int start = 0;
  *length = 0;
  for (int i = 0; i < N_WORDS; i++) {
    int end = i;
    while (end < N_WORDS && words[end] == 0) end++;
    if (end - i > *length) {
      start = i;
      *length = end - i;
    }
    if (end > i) i = end;
  }
  if (*length < 2) *length = 0;
  return start;
}

static char *put_colons(char *to, const unsigned char bytes[16]) {
  unsigned words[N_WORDS];
  int start, length;
  for (int i = 0; i < N_WORDS; i++) words[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
  start = longest_zeros(words, &length);
  for (int i = 0; i < N_WORDS;) {
    if (length > 0 && i == start) {
      *to++ = ':';
      i += length;
      if (i == N_WORDS) *to++ = ':';
      continue;
    }
    if (i > 0) *to++ = ':';
    // An address of the older kind inside.
    if (i == 6 && start == 0 && (length == 6 || (length == 5 && words[5] == 0xffff))) return put_dotted(to, bytes + 12);
    to = put_hex(to, words[i++]);
  }
  return to;
}

const char *inet_ntop(int family, const void *restrict address, char *restrict buf, socklen_t n) {
  char text[INET6_ADDRSTRLEN], *end;
  if (family != AF_INET && family != AF_INET6) {
    errno = EAFNOSUPPORT;
    return NULL;
  }
  end = family == AF_INET ? put_dotted(text, address) : put_colons(text, address);
  *end++ = '\0';
  if ((size_t)(end - text) > n) {
    errno = ENOSPC;
    return NULL;
  }
  return memcpy(buf, text, (size_t)(end - text));
}

char *inet_ntoa(struct in_addr in) {
  static char text[INET_ADDRSTRLEN];
  *put_dotted(text, (const unsigned char *)&in) = '\0';
  return text;
}

// ---- Text to numbers

// Four decimal numbers without zeros in front. Whether that is all of the text.
static int get_dotted(const char *text, unsigned char out[4]) {
  unsigned char bytes[4];
  for (int i = 0; i < 4; i++) {
    unsigned value = 0;
    const char *start = text;
    for (; __rt_is_digit(*text); text++) {
      if (text > start && value == 0) return 0;
      value = value * 10 + (unsigned)(*text - '0');
      if (value > 255) return 0;
    }
    if (text == start || *text != (i < 3 ? '.' : '\0')) return 0;
    text++;
    bytes[i] = (unsigned char)value;
  }
  memcpy(out, bytes, sizeof bytes);
  return 1;
}

static int get_colons(const char *text, unsigned char out[16]) {
  unsigned char bytes[16] = {0};
  int n = 0, gap = -1;
  if (text[0] == ':' && *++text != ':') return 0;
  while (*text != '\0') {
    const char *start = text;
    unsigned value = 0;
    for (; __rt_digit_value(*text) < 16; text++) {
      if (text - start == 4) return 0;
      value = value << 4 | __rt_digit_value(*text);
    }
    if (*text == '.') {
      if (n > 12 || !get_dotted(start, bytes + n)) return 0;
      n += 4;
      break;
    }
    if (*text != ':' && *text != '\0') return 0;
    if (text == start) {
      if (gap >= 0) return 0;
      gap = n;
    } else {
      if (n > 14 || (*text == ':' && text[1] == '\0')) return 0;
      bytes[n++] = (unsigned char)(value >> 8);
      bytes[n++] = (unsigned char)value;
    }
    if (*text == ':') text++;
  }
  if (gap >= 0 ? n == 16 : n != 16) return 0;
  memset(out, 0, 16);
  if (gap < 0) gap = n;
  memcpy(out, bytes, (size_t)gap);
  memcpy(out + 16 - (n - gap), bytes + gap, (size_t)(n - gap));
  return 1;
}

int inet_pton(int family, const char *restrict text, void *restrict out) {
  switch (family) {
    case AF_INET: return get_dotted(text, out);
    case AF_INET6: return get_colons(text, out);
    default: return __rt_fail(EAFNOSUPPORT);
  }
}
