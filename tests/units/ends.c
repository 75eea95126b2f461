// Arrays whose end is another pointer, and arrays whose length is behind a pointer.
//
// trial: entry=count param=end=end:p<=3 expect=clean paths=4
// trial: entry=count param=end=end:p<=3 fault=INCLUSIVE expect=out-of-bounds at=element
// trial: entry=words param=end=end:p<=3 expect=clean paths=15
// trial: entry=words param=end=end:p<=3 ensure=words_ok expect=clean
// trial: entry=widest param=limit=end:r<=3 expect=clean
// trial: entry=widest param=limit=end:r<=3 fault=EMPTY expect=out-of-bounds at=first
// trial: entry=sum param=a=array:*n<=3 expect=clean paths=4
// trial: entry=sum param=a=array:*n<=3 fault=INCLUSIVE expect=out-of-bounds at=item
// trial: entry=take param=out=array:*size<=3 expect=clean
// trial: entry=take param=out=array:*size<=3 fault=PAST expect=out-of-bounds at=behind
#include <stddef.h>

int count(const int *p, const int *end) {
  int n = 0;
#ifdef FAULT_INCLUSIVE
  for (; p <= end; p++)
#else
  for (; p < end; p++)
#endif
    n += *p * 0 + 1; //~ element
  return n;
}

int words(const char *p, const char *end) {
  int n = 0;
  while (p != end)
    if (*p++ == ' ')
      n++;
  return n;
}

int words_ok(const char *p, const char *end) {
  return p <= end && end - p <= 3;
}

struct range {
  short from, to;
};

int widest(const struct range *r, const struct range *limit) {
#ifndef FAULT_EMPTY
  if (r == limit)
    return 0;
#endif
  int found = r->to - r->from; //~ first
  for (r++; r < limit; r++)
    if (r->to - r->from > found)
      found = r->to - r->from;
  return found;
}

int sum(const int *a, const int *n) {
  unsigned s = 0;
#ifdef FAULT_INCLUSIVE
  for (int i = 0; i <= *n; i++)
#else
  for (int i = 0; i < *n; i++)
#endif
    s += a[i]; //~ item
  return s & 1;
}

/* In and out: how much room there is, and how much of it was used. */
int take(char *out, size_t *size, unsigned wanted) {
#ifdef FAULT_PAST
  size_t n = wanted <= *size + 1 ? wanted : *size;
#else
  size_t n = wanted <= *size ? wanted : *size;
#endif
  for (size_t i = 0; i < n; i++)
    out[i] = 'x'; //~ behind
  *size = n;
  return n == wanted;
}
