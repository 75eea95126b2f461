// A rule that wants something to be shared: no choice breaks it, but a heap that shares nothing is none. Such heaps are noticed when
// what is decided can't be completed any more.
//
// trial: entry=compare hex=hex_obligation.hex objects=node=2 audit=share paths=1 expect=clean
struct node {
  struct node *next;
};

int compare(const struct node *a, const struct node *b) { return a ? (a == b) + 2 * !b : 4; }

int share(const struct node *a, const struct node *b) { return a && a == b; }
