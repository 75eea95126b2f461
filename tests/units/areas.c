// Copies and fills of areas whose place and length are inputs.
//
// trial: entry=shift expect=out-of-bounds at=shift paths=3
// trial: entry=clear_from expect=out-of-bounds at=clear
// trial: entry=close_gap assume=gap_ok ensure=gap_ok expect=clean
// trial: entry=close_gap expect=out-of-bounds at=gap
// trial: entry=mark param=f=nonnull expect=assert at=marked
// trial: entry=put param=r->room=array:size expect=out-of-bounds at=put
// trial: entry=put param=r->room=array:size assume=ring_ok ensure=ring_ok expect=clean
// trial: entry=reserved check=memory-limit expect=memory-limit at=reserve
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int shift(unsigned char by, unsigned char n) {
  char *area = calloc(16, 1);
  memmove(area + by, area, n); //~ shift
  int first = area[0];
  free(area);
  return first;
}

int clear_from(unsigned char at, unsigned char n) {
  char area[8] = "abcdefg";
  memset(area + at, 0, n); //~ clear
  return area[0];
}

struct row {
  unsigned length;
  void *cells[4];
};

int gap_ok(const struct row *r, unsigned at) {
  return r && r->length <= 4 && at < r->length;
}

void close_gap(struct row *r, unsigned at) {
  if (at >= r->length)
    return;
  memmove(&r->cells[at], &r->cells[at + 1], (r->length - at - 1) * sizeof r->cells[0]); //~ gap
}

struct flags {
  unsigned char set[8];
};

// Which one is marked shows only through the copy.
void mark(struct flags *f, unsigned at) {
  static const unsigned char one = 1;
  memset(f, 0, sizeof *f);
  memcpy(&f->set[at % 8], &one, sizeof one);
  assert(!f->set[5]); //~ marked
}

char *reserved(unsigned n) {
  return malloc((size_t)n * 2); //~ reserve
}

// What is left is huge if the place is already past the end, and the sum of both is the size all the same.
struct ring {
  unsigned char *room;
  size_t size, at;
};

int ring_ok(const struct ring *r, char c) {
  (void)c;
  return r && r->room && r->at <= r->size;
}

void put(struct ring *r, char c) {
  if (!r || !r->room)
    return;
  memset(&r->room[r->at], c, r->size - r->at); //~ put
  r->at = r->size;
}
