// Names of the domain name system: as text, as labels with their lengths, and compressed in a message.

#include "rt.h"

#include <arpa/nameser.h>
#include <resolv.h>

enum { POINTER = 0xc0, LONGEST_LABEL = 63, LONGEST_NAME = 255, FARTHEST = 0x4000 };

static int fail(void) { return __rt_fail(EMSGSIZE); }

// ---- Labels to text

static int is_special(unsigned c) { return c != 0 && c < 0x80 && strchr("\".;\\()@$", (int)c) != NULL; }
static int is_printable(unsigned c) { return c > 0x20 && c < 0x7f; }

static int to_text(const unsigned char *labels, char *buf, size_t n) {
  char *to = buf, *end = buf + n;
  for (unsigned length; (length = *labels++) != 0;) {
    if (length > LONGEST_LABEL) return fail();
    if (to != buf) {
      if (to >= end) return fail();
      *to++ = '.';
    }
    if (length >= (size_t)(end - to)) return fail();
    for (; length > 0; length--) {
      unsigned c = *labels++;
      int width = is_special(c) ? 2 : is_printable(c) ? 1 : 4;
      if (end - to < width) return fail();
      if (width > 1) *to++ = '\\';
      if (width == 4) {
        *to++ = (char)('0' + c / 100);
        *to++ = (char)('0' + c / 10 % 10);
        *to++ = (char)('0' + c % 10);
      } else {
        *to++ = (char)c;
      }
    }
  }
  if (to == buf) {
    if (to >= end) return fail();
    *to++ = '.';
  }
  if (to >= end) return fail();
  *to++ = '\0';
  return (int)(to - buf);
}

int ns_name_ntop(const unsigned char *labels, char *buf, size_t n) { return to_text(labels, buf, n); }

// ---- Text to labels

// The character that a text goes on with, after a backslash; -1 if there is none.
static int get_escaped(const char **text) {
  int c = (unsigned char)*(*text)++, value = 0;
  if (!__rt_is_digit(c)) return c == 0 ? -1 : c;
  --*text;
  for (int i = 0; i < 3; i++) {
    if (!__rt_is_digit(**text)) return -1;
    value = value * 10 + (*(*text)++ - '0');
  }
  return value > 255 ? -1 : value;
}

// Closes a label that goes up to `to`. Its length, or -1.
static int close_label(unsigned char *label, const unsigned char *to, const unsigned char *end) {
  long length = to - label - 1;
  if (length > LONGEST_LABEL || label >= end) return -1;
  *label = (unsigned char)length;
  return (int)length;
}

// Adds the root. The result, if the name is not too long.
static int close_name(unsigned char *buf, unsigned char *to, const unsigned char *end, int last_length, int result) {
  if (last_length > 0) {
    if (to >= end) return fail();
    *to++ = 0;
  }
  return to - buf > LONGEST_NAME ? fail() : result;
}

// 1 if the name is a full one, with a dot at its end, 0 if not, -1 with errno set.
static int to_labels(const char *text, unsigned char *buf, size_t n) {
  unsigned char *label = buf, *to = buf + 1, *end = buf + n;
  int length;
  while (*text != '\0') {
    int c = (unsigned char)*text++;
    if (c == '.') {
      length = close_label(label, to, end);
      if (length < 0) return fail();
      if (*text == '\0') return close_name(buf, to, end, length, 1);
      if (length == 0 || *text == '.') return fail();
      label = to++;
      continue;
    }
    if (c == '\\') c = get_escaped(&text);
    if (c < 0 || to >= end) return fail();
    *to++ = (unsigned char)c;
  }
  length = close_label(label, to, end);
  return length < 0 ? fail() : close_name(buf, to, end, length, 0);
}

int ns_name_pton(const char *text, unsigned char *buf, size_t n) { return to_labels(text, buf, n); }

// ---- Out of a message

static unsigned target_of(unsigned high, unsigned low) { return (high & ~(unsigned)POINTER) << 8 | low; }

static int unpack(const unsigned char *message, const unsigned char *end, const unsigned char *name,
                  unsigned char *buf, size_t n) {
  const unsigned char *from = name;
  unsigned char *to = buf, *limit = buf + n;
  long consumed = -1, n_seen = 0;
  if (name < message || name >= end) return fail();
  for (unsigned length; (length = *from++) != 0;) {
    if (length <= LONGEST_LABEL) {
      if (length + 1 >= (size_t)(limit - to) || length >= (size_t)(end - from)) return fail();
      n_seen += length + 1;
      *to++ = (unsigned char)length;
      memcpy(to, from, length);
      to += length;
      from += length;
    } else if (length >= POINTER) {
      if (from >= end) return fail();
      if (consumed < 0) consumed = from - name + 1;
      from = message + target_of(length, *from);
      // One that has been through the whole message goes in circles.
      n_seen += 2;
      if (from >= end || n_seen >= end - message) return fail();
    } else {
      return fail();
    }
  }
  *to = 0;
  return (int)(consumed < 0 ? from - name : consumed);
}

static int uncompress(const unsigned char *message, const unsigned char *end, const unsigned char *name, char *buf,
                      size_t n) {
  unsigned char labels[LONGEST_NAME];
  int consumed = unpack(message, end, name, labels, sizeof labels);
  return consumed < 0 || to_text(labels, buf, n) < 0 ? -1 : consumed;
}

int __rt_expand_name(const unsigned char *message, const unsigned char *end, const unsigned char *name, char *buf,
                     size_t n) {
  int consumed = uncompress(message, end, name, buf, n);
  if (consumed > 0 && buf[0] == '.') buf[0] = '\0';
  return consumed;
}

static int skip(const unsigned char **name, const unsigned char *end) {
  const unsigned char *p = *name;
  while (p < end) {
    unsigned length = *p++;
    if (length > LONGEST_LABEL && length < POINTER) break;
    p += length >= POINTER ? 1 : length;
    if (p > end) break;
    if (length != 0 && length < POINTER) continue;
    *name = p;
    return 0;
  }
  return fail();
}

int __rt_skip_name(const unsigned char *name, const unsigned char *end) {
  const unsigned char *p = name;
  return skip(&p, end) < 0 ? -1 : (int)(p - name);
}

int ns_name_unpack(const unsigned char *message, const unsigned char *end, const unsigned char *name,
                   unsigned char *buf, size_t n) {
  return unpack(message, end, name, buf, n);
}

int ns_name_uncompress(const unsigned char *message, const unsigned char *end, const unsigned char *name, char *buf,
                       size_t n) {
  return uncompress(message, end, name, buf, n);
}

int ns_name_skip(const unsigned char **name, const unsigned char *end) { return skip(name, end); }

int dn_expand(const unsigned char *message, const unsigned char *end, const unsigned char *name, char *buf, int n) {
  return __rt_expand_name(message, end, name, buf, (size_t)n);
}

int dn_skipname(const unsigned char *name, const unsigned char *end) { return __rt_skip_name(name, end); }

RT_ALIAS(__dn_expand, dn_expand);
RT_ALIAS(__dn_skipname, dn_skipname);

// ---- Into a message

// Whether a name in a message is the same as one of labels, apart from case.
static int is_same(const unsigned char *message, const unsigned char *in_message, const unsigned char *labels) {
  for (unsigned length; (length = *in_message++) != 0;) {
    if (length >= POINTER) {
      in_message = message + target_of(length, *in_message);
      continue;
    }
    if (length > LONGEST_LABEL || length != *labels++) return 0;
    for (; length > 0; length--) {
      if (__rt_to_lower(*labels++) != __rt_to_lower(*in_message++)) return 0;
    }
    if (*labels == 0) return *in_message == 0;
  }
  return 0;
}

// Where the message has a name already, or -1. Names begin at one of the places, or at a label behind.
static long find(const unsigned char *message, const unsigned char *labels, const unsigned char **places,
                 const unsigned char **end) {
  for (; places < end; places++) {
    for (const unsigned char *p = *places; *p != 0 && *p <= LONGEST_LABEL && p - message < FARTHEST; p += *p + 1) {
      if (is_same(message, p, labels)) return p - message;
    }
  }
  return -1;
}

static int is_name(const unsigned char *labels) {
  size_t total = 0;
  for (;; labels += *labels + 1) {
    total += *labels + 1u;
    if (*labels > LONGEST_LABEL || total > LONGEST_NAME) return 0;
    if (*labels == 0) return 1;
  }
}

// The first of the places is where the message begins, a null pointer is behind the last; `limit` is the end of the array.
static int pack(const unsigned char *labels, unsigned char *buf, int n, const unsigned char **places,
                const unsigned char **limit) {
  unsigned char *to = buf, *end = buf + n;
  const unsigned char *message = places ? *places++ : NULL;
  const unsigned char **known_end = places;
  if (!is_name(labels)) return fail();
  while (message && *known_end) known_end++;
  for (;; labels += *labels + 1) {
    unsigned length = *labels;
    if (length != 0 && message) {
      long place = find(message, labels, places, known_end);
      if (place >= 0) {
        if (end - to <= 1) break;
        *to++ = (unsigned char)(place >> 8 | POINTER);
        *to++ = (unsigned char)place;
        return (int)(to - buf);
      }
      // A search goes on at the labels behind.
      if (to == buf && limit && known_end < limit - 1 && to - message < FARTHEST) {
        known_end[0] = to;
        known_end[1] = NULL;
      }
    }
    if ((long)length + 1 > end - to) break;
    memcpy(to, labels, length + 1);
    to += length + 1;
    if (length == 0) return (int)(to - buf);
  }
  if (message) *known_end = NULL;
  return fail();
}

static int compress(const char *text, unsigned char *buf, size_t n, const unsigned char **places,
                    const unsigned char **limit) {
  unsigned char labels[LONGEST_NAME];
  if (to_labels(text, labels, sizeof labels) < 0) return -1;
  return pack(labels, buf, (int)n, places, limit);
}

int ns_name_pack(const unsigned char *labels, unsigned char *buf, int n, const unsigned char **places,
                 const unsigned char **limit) {
  return pack(labels, buf, n, places, limit);
}

int ns_name_compress(const char *text, unsigned char *buf, size_t n, const unsigned char **places,
                     const unsigned char **limit) {
  return compress(text, buf, n, places, limit);
}

int dn_comp(const char *text, unsigned char *buf, int n, unsigned char **places, unsigned char **limit) {
  return compress(text, buf, (size_t)n, (const unsigned char **)places, (const unsigned char **)limit);
}

RT_ALIAS(__dn_comp, dn_comp);

void ns_name_rollback(const unsigned char *from, const unsigned char **places, const unsigned char **limit) {
  for (; places < limit && *places; places++) {
    if (*places < from) continue;
    *places = NULL;
    break;
  }
}
