// Fields of different widths, bit-fields and a union of the same bytes.
// paths: 6
#include <klee/klee.h>

struct record {
  unsigned kind : 3;
  unsigned flag : 1;
  short size;
  union {
    int number;
    unsigned char bytes[4];
  } u;
};

int main(void) {
  struct record r;
  klee_make_symbolic(&r, sizeof r, "r");
  if (r.kind == 5) {
    if (r.flag)
      return 1;
    return 2;
  }
  if (r.size < 0)
    return 3;
  if (r.u.number == 0x01020304) {
    if (r.u.bytes[0] == 4) // always
      return 4;
    return 5;
  }
  if (r.u.bytes[3] > 0x7f)
    return 6;
  return 7;
}
