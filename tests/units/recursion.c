// Recursion without an end, each beside one that ends. The stack is exhausted natively too; what is told is why.
// trial: entry=down check=termination expect=stack-exhausted at=down says=never_returns_while
// trial: entry=down_fixed check=termination expect=clean depth=12
// trial: entry=same check=termination expect=stack-exhausted at=same says=recurses_without_an_end
// trial: entry=is_even check=termination expect=stack-exhausted at=even says=recurses_without_an_end
// trial: entry=is_even_fixed check=termination expect=clean depth=12
// trial: entry=visit check=termination expect=stack-exhausted at=visit says=recurses_without_an_end
// trial: entry=visit_fixed check=termination expect=clean depth=12
// trial: entry=deepen check=termination expect=clean depth=12
// trial: entry=walk check=termination expect=stack-exhausted at=walk says=every_2_calls
// trial: entry=ring_of_three check=termination expect=stack-exhausted at=three says=recurses_without_an_end
// trial: entry=lower check=termination expect=clean depth=12
// trial: entry=fresh check=termination expect=stack-exhausted at=fresh says=recurses_without_an_end
// trial: entry=by_pointer check=termination expect=stack-exhausted at=by_pointer says=recurses_without_an_end

// Odd numbers step over zero, for ever.
int down(unsigned char n, int k) {
  if (n == 0)
    return k;
  return down(n - 2, 1 - k); //~ down
}

int down_fixed(unsigned char n, int k) {
  if (n < 2)
    return k;
  return down_fixed(n - 2, 1 - k);
}

int same(int a, int b) {
  if (a > b)
    return same(a, b) + 1; //~ same
  return 0;
}

// A ring of two functions.
int is_even(unsigned char n);
int is_odd(unsigned char n) {
  if (n == 6)
    return 0;
  return is_even(n - 1);
}
int is_even(unsigned char n) {
  if (n == 1)
    return 1;
  return is_odd(n - 1); //~ even
}

int is_even_fixed(unsigned char n);
int is_odd_fixed(unsigned char n) { return n == 0 ? 0 : is_even_fixed(n - 1); }
int is_even_fixed(unsigned char n) { return n == 0 ? 1 : is_odd_fixed(n - 1); }

struct tree {
  int key;
  struct tree *left, *right;
};

// What was taken for a tree may have a ring in it.
int visit(struct tree *t) {
  if (!t)
    return 0;
  return visit(t->left) + 1; //~ visit
}

int visit_fixed(const struct tree *t, unsigned char depth) {
  if (!t || depth > 5)
    return 0;
  return visit_fixed(t->left, depth + 1) + 1;
}

// It ends by what memory holds, which no argument tells.
static unsigned char level;
int deepen(int n) {
  if (++level == 200)
    return n;
  return deepen(n);
}

// The first call of each returns: the ring is made of the second.
int walk(int n, int is_leaf) {
  if (is_leaf)
    return 1;
  if (n > 3)
    return walk(n, 1) + walk(n, 0); //~ walk
  return 0;
}

// Of three calls of each, two return.
static int half(int x);
static int whole(int x) { return x <= 0 ? 0 : half(x) + half(x + 1); } //~ three
static int half(int x) { return x <= 0 ? 0 : whole(x - 1) + whole(x - 2); }
int ring_of_three(unsigned char x) { return half(x % 4); }

// A guard that looks at addresses; they are no part of what a call is given.
static char *top;
int lower(int n) {
  char here[16];
  here[0] = (char)n;
  if (!top)
    top = here;
  if (__builtin_labs((long)top - (long)here) > (64L << 32) || n < 0)
    return here[0];
  return lower(n);
}

// Each call hands on a variable of its own, which holds the same.
int fresh(int n, int *out) {
  int result = 0;
  if (n != 5 || !out)
    return 0;
  *out = 0;
  return fresh(n, &result) + result; //~ fresh
}

typedef int (*handler)(int);
int by_pointer(int n) {
  handler next = by_pointer;
  return n > 100 ? 0 : next(n - (n & 1)); //~ by_pointer
}
