// A loop over a list that may be a ring: that it never ends is found for rings that are decided as a whole, and for no heap that the rules
// exclude. Where the rules exclude rings, it always ends.
//
// trial: entry=to_the_end hex=hex_lasso.hex objects=lnode=4 check=termination paths=15 expect=endless-loop
// trial: entry=to_the_end hex=hex_lasso_none.hex objects=lnode=4 check=termination paths=5 expect=clean
#include <stddef.h>

struct lnode {
  int value;
  struct lnode *next;
};

int to_the_end(const struct lnode *l) {
  while (l)
    l = l->next;
  return 1;
}
