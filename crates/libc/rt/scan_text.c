// scanf's text conversions: %c, %s and %[, into narrow or wide memory of the program or of malloc.

#include "rt.h"

// Where the characters go.
struct receiver {
  char *narrow;
  wchar_t *wide;  // one of the two, or neither when suppressed
  size_t length, capacity;
  void **owner;   // where to leave allocated memory
  int error;
};

static size_t unit_size(const struct receiver *r) { return r->wide ? sizeof(wchar_t) : sizeof(char); }
static void *memory(const struct receiver *r) { return r->wide ? (void *)r->wide : (void *)r->narrow; }

static void set_memory(struct receiver *r, void *units, int wide) {
  if (wide) r->wide = units;
  else r->narrow = units;
}

static void begin(struct scan *s, const struct scan_directive *d, struct receiver *r) {
  int wide = d->length >= LENGTH_LONG;
  *r = (struct receiver){.capacity = SIZE_MAX};
  if (d->suppressed) return;
  if (d->allocates) {
    r->owner = __rt_scan_target(s, d);
    r->capacity = 100;
    set_memory(r, malloc(r->capacity * (wide ? sizeof(wchar_t) : 1)), wide);
    if (!memory(r)) r->error = ENOMEM;
  } else {
    set_memory(r, __rt_scan_target(s, d), wide);
  }
}

static void resize(struct receiver *r, size_t capacity) {
  void *resized = realloc(memory(r), capacity * unit_size(r));
  if (!resized) {
    r->error = ENOMEM;
    return;
  }
  set_memory(r, resized, r->wide != NULL);
  r->capacity = capacity;
}

static void put(struct receiver *r, int c) {
  if (!memory(r) || r->error) return;
  if (r->length == r->capacity) resize(r, r->capacity * 2);
  if (r->error) return;
  if (r->wide) r->wide[r->length++] = c;
  else r->narrow[r->length++] = (char)c;
}

// Bytes of the C locale and wide characters convert into each other only where both are ASCII.
static void put_converted(const struct scan *s, struct receiver *r, int c) {
  int same_kind = s->source->wide ? r->wide != NULL : r->wide == NULL;
  if (!same_kind && c >= 0x80) r->error = EILSEQ;
  else put(r, c);
}

static enum scan_outcome finish(struct scan *s, struct receiver *r) {
  if (r->owner && !r->error) resize(r, r->length);
  if (r->error) {
    if (r->owner) free(memory(r));
    errno = r->error;
    return r->error == EILSEQ ? RT_SCAN_NO_MATCH : RT_SCAN_NO_INPUT;
  }
  if (r->owner) *r->owner = memory(r);
  if (memory(r)) s->assigned++;
  return RT_SCAN_DONE;
}

// Whether the set of a %[ holds `c`. A hyphen between two characters is a range, unless the range is empty.
static int set_holds(const struct scan_directive *d, int c) {
  const unsigned char *set = (const unsigned char *)d->set;
  for (size_t i = 0; i < d->set_length; i++) {
    int is_range = i > 0 && set[i] == '-' && i + 1 < d->set_length && set[i - 1] <= set[i + 1];
    if (is_range ? c >= set[i - 1] && c <= set[i + 1] : c == set[i]) return 1;
  }
  return 0;
}

static int belongs(const struct scan_directive *d, int c) {
  switch (d->conversion) {
    case 'c': return 1;
    case 's': return !__rt_is_space(c);
    default: return set_holds(d, c) != d->set_negated;
  }
}

enum scan_outcome __rt_scan_text(struct scan *s, const struct scan_directive *d) {
  struct receiver r;
  size_t width = d->conversion == 'c' && d->width == SIZE_MAX ? 1 : d->width;
  int c = __rt_scan_get(s);
  if (c == EOF) return RT_SCAN_NO_INPUT;
  if (!belongs(d, c)) {
    __rt_scan_unget(s, c);
    return RT_SCAN_NO_MATCH;
  }
  begin(s, d, &r);
  for (;;) {
    put_converted(s, &r, c);
    if (--width == 0 || r.error) break;
    c = __rt_scan_get(s);
    if (c == EOF) break;
    if (!belongs(d, c)) {
      __rt_scan_unget(s, c);
      break;
    }
  }
  if (d->conversion != 'c') put(&r, '\0');
  return finish(s, &r);
}
