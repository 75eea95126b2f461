// Loops that never end by what can be proved of a round, whether or not a state is ever met again; each beside one that ends.
// The sets are those of bit-vectors: a counter that would leave the loop by wrapping around does.
// trial: entry=search check=termination expect=endless-loop at=search says=hi_==_4294967295 depth=12
// trial: entry=search_fixed check=termination expect=clean depth=12 param=n=1
// trial: entry=flip check=termination expect=endless-loop at=flip says=while_x_==_y
// trial: entry=flip_fixed check=termination expect=clean paths=2
// trial: entry=count_to check=termination expect=endless-loop at=count_to says=left_while_n_==_255 depth=12
// trial: entry=count_to_fixed check=termination expect=clean depth=12
// trial: entry=subtract check=termination expect=endless-loop at=subtract says=i_>=_0_&&_y_==_0 depth=12
// trial: entry=subtract_fixed check=termination-unbounded expect=clean depth=12 says=left_while_i_>=_0_&&_y_<=_0
// trial: entry=triangle check=termination-unbounded expect=clean depth=12 says=left_while_x_>=_0_&&_y_>=_0
// trial: entry=alternate check=termination-unbounded expect=clean depth=12 says=left_while_x_>=_0_&&
// trial: entry=turn check=termination expect=endless-loop at=turn says=5_<_(x_+_y)_&& depth=12
// trial: entry=unread check=termination expect=endless-loop at=unread says=nothing_that_it_does
// trial: entry=unread expect=clean depth=12
// trial: entry=by_two check=termination expect=endless-loop at=by_two says=left_while_(x_&_0x1)_!=_0 depth=12
// trial: entry=by_one check=termination expect=clean depth=12
// trial: entry=in_memory check=termination expect=endless-loop at=in_memory says=left_while_ring.at_!=_0_&&_step_==_0 depth=12
// trial: entry=overwritten check=termination expect=clean depth=12
// trial: entry=waits check=termination expect=clean depth=12
// trial: entry=jumps check=termination expect=endless-loop at=jumps depth=12
// trial: entry=walk check=termination expect=clean
// trial: entry=behind check=termination expect=endless-loop at=behind says=left_while_(l->next->key_&_0x1)_!=_0
// trial: entry=element check=termination expect=endless-loop at=element says=left_while_(t->keys[1]_&_0x1)_!=_0
// trial: entry=around check=termination expect=endless-loop at=around says=same_addresses
// trial: entry=calls_back check=termination expect=clean
// trial: entry=linked check=termination expect=endless-loop at=linked says=nothing_that_it_does
// trial: entry=linked_open check=termination expect=clean

// The middle of two large numbers is not between them.
int search(int key, const int *a, unsigned lo, unsigned hi) {
  while (lo < hi) { //~ search
    unsigned mid = (lo + hi) / 2;
    if (a[mid] < key)
      lo = mid + 1;
    else if (a[mid] > key)
      hi = mid - 1;
    else
      return (int)mid;
  }
  return -1;
}

int search_fixed(int key, const int a[8], unsigned n) {
  unsigned lo = 0, hi = n % 8;
  if (!a)
    return -1;
  while (lo < hi) {
    unsigned mid = lo + (hi - lo) / 2;
    if (a[0] < key + (int)mid)
      lo = mid + 1;
    else
      hi = mid;
  }
  return -1;
}

int flip(int x, int y) {
  while (x == y) { //~ flip
    x = ~x;
    y = ~y;
  }
  return x;
}

int flip_fixed(int x, int y) {
  while (x == y)
    x = ~x;
  return x;
}

// Every number is at most the greatest.
unsigned count_to(unsigned char n) {
  unsigned sum = 0;
  for (unsigned char i = 0; i <= n; i++) //~ count_to
    sum += i;
  return sum;
}

unsigned count_to_fixed(unsigned char n) {
  unsigned sum = 0;
  for (unsigned char i = 0; i < n; i++)
    sum += i;
  return sum;
}

int subtract(int i, int y) {
  while (i >= 0) //~ subtract
    i -= y;
  return i;
}

// With numbers that have no greatest, this would not end for y < 0.
int subtract_fixed(int i, int y) {
  if (y)
    while (i >= 0)
      i = (int)((unsigned)i - (unsigned)y);
  return i;
}

int triangle(int x, int y) {
  while (x >= 0) {
    x = (int)((unsigned)x + (unsigned)y);
    y = (int)((unsigned)y + 1);
  }
  return x;
}

int alternate(signed char x) {
  signed char y = 0;
  while (x >= 0) {
    x = (signed char)(x + y);
    y = (signed char)(1 - y);
  }
  return x;
}

// Back after two rounds, if the first does not lead out.
int turn(int x, int y) {
  while (x > 5 && y != 0) { //~ turn
    x += y;
    y = -y;
  }
  return x;
}

// No state comes back before the counter does.
int unread(int n) {
  unsigned long rounds = 0;
  for (int i = 0; i < 10;) { //~ unread
    rounds++;
    if (n == 7)
      break;
  }
  return (int)rounds;
}

unsigned by_two(unsigned char x) {
  while (x != 0) //~ by_two
    x -= 2;
  return x;
}

unsigned by_one(unsigned char x) {
  while (x != 0)
    x -= 1;
  return x;
}

struct ring {
  unsigned char at, step;
  unsigned rounds;
};

// The state lies in memory.
int in_memory(unsigned char step) {
  struct ring ring = {1, step, 0};
  struct ring *p = &ring;
  while (p->at != 0) { //~ in_memory
    p->at += p->step;
    p->rounds++;
  }
  return (int)p->rounds;
}

// What the guard reads is written in the end, by an index that moves.
int overwritten(unsigned char n) {
  unsigned char buf[9] = {0};
  unsigned i = 0;
  buf[8] = n;
  while (buf[8]) {
    buf[i % 9] = 0;
    i++;
  }
  return (int)i;
}

volatile int ready;

// Somebody else may end it.
int waits(int n) {
  while (!ready && n == 3)
    ;
  return 0;
}

int jumps(unsigned x) {
  unsigned n = 0;
again:
  n++; //~ jumps
  if (x % 3 == 1)
    goto again;
  return (int)n;
}

struct text {
  char b[8];
};

// A pointer that starts somewhere in an object is part of the state.
int walk(struct text given, unsigned char step) {
  const char *p = given.b + (step & 3), *end = given.b + 8;
  while (p < end && *p != '\n')
    p++;
  return (int)(end - p);
}

struct list {
  struct list *next;
  unsigned char key;
};

// What is behind pointers that stay as they are has a name.
int behind(struct list *l) {
  if (!l || !l->next || l->next == l)
    return 0;
  while (l->next->key != 0) //~ behind
    l->next->key -= 2;
  return 1;
}

// The number of rounds is no state that is ever the same.
unsigned around(struct list *l) {
  unsigned n = 0;
  for (; l; l = l->next) //~ around
    n++;
  return n;
}

struct table {
  unsigned char keys[4];
};

int element(struct table *t) {
  if (!t)
    return 0;
  while (t->keys[1] != 0) //~ element
    t->keys[1] -= 2;
  return 1;
}

// The function is one that nobody defines.
int calls_back(int (*wanted)(int), int n) {
  int i = 0;
  while (wanted && i < (n & 3))
    i += 1 + (wanted(i) & 1);
  return i;
}

// No round is possible twice in a row, and the number of rounds is never the same.
unsigned linked(int n) {
  struct list a = {0, 1}, b = {&a, 2}, c = {&b, 3};
  unsigned rounds = 0;
  if (n == 7)
    a.next = &c;
  for (struct list *l = &c; l; l = l->next) //~ linked
    rounds++;
  return rounds;
}

unsigned linked_open(int n) {
  struct list a = {0, 1}, b = {&a, 2}, c = {&b, 3};
  unsigned rounds = 0;
  if (n == 7)
    a.next = &b;
  for (struct list *l = &c; l && rounds < 9; l = l->next)
    rounds++;
  return rounds;
}
