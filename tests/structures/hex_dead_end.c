// Choices that each rule allows by itself, but after which no whole heap keeps all rules: they are never run. If `y` is null, `x` would
// need children that lead to the end of a way through new objects, which there must not be.
//
// trial: entry=visit hex=hex_dead_end.hex objects=dnode=2 paths=2 expect=clean
#include <stddef.h>

struct dnode {
  struct dnode *a, *b;
};

static int meet(struct dnode **met, int n, struct dnode *p) {
  for (int i = 0; p && i < n; i++)
    if (met[i] == p)
      return n;
  if (p)
    met[n++] = p;
  return n;
}

int visit(struct dnode *x, struct dnode *y) {
  struct dnode *met[8];
  int n = meet(met, meet(met, 0, y), x);
  for (int i = 0; i < n; i++)
    n = meet(met, meet(met, n, met[i]->a), met[i]->b);
  return n;
}
