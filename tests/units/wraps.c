// Loops that go on for ever only if signed integers wrap around, which C does not say: they are told apart, and are no bugs. Beside
// each one whose numbers are unsigned, or narrower than int, and so may wrap.
// trial: entry=count_to check=termination expect=clean depth=12 says=wrap:_it_is_never_left_while_n_==_2147483647
// trial: entry=count_to_unsigned check=termination expect=endless-loop at=count_to_unsigned says=left_while_n_==_4294967295 depth=12
// trial: entry=count_to_short check=termination expect=endless-loop at=count_to_short says=left_while_n_==_32767 depth=12
// trial: entry=count_down check=termination expect=clean depth=12 says=wrap:_it_is_never_left_while_n_==_-2147483648
// trial: entry=count_long check=termination expect=clean depth=12 says=n_==_9223372036854775807
// trial: entry=negate check=termination expect=clean says=wrap:_it_is_never_left_while_x_==_-2147483648
// trial: entry=negate_short check=termination expect=endless-loop at=negate_short says=left_while_x_==_-32768
// trial: entry=step check=termination expect=clean depth=12 says=signed_overflow_at_line
// trial: entry=step expect=clean depth=12
// trial: entry=step_unsigned expect=endless-loop at=step_unsigned depth=12
// trial: entry=triple check=termination expect=endless-loop at=triple says=x_==_0 depth=12
// trial: entry=in_member check=termination expect=clean depth=12 says=signed_overflow_at_line
// trial: entry=in_callee check=termination expect=clean depth=12 says=signed_overflow_at_line
// trial: entry=turns check=termination expect=endless-loop at=turns says=5_<_(x_+_y) depth=12
// trial: entry=idle check=termination expect=endless-loop at=idle says=whether_the_loop_is_left_does_not_depend_on_it
// trial: entry=idle_sum check=termination expect=endless-loop at=idle_sum says=left_while_n_==_255 depth=12
// trial: entry=idle_soon check=termination expect=clean depth=12
// trial: entry=signalled check=termination expect=clean depth=12
// trial: entry=signalled expect=clean depth=12
// trial: entry=moved check=termination expect=endless-loop at=moved depth=12
// trial: entry=moved_on check=termination expect=clean depth=12
// trial: entry=measured check=termination expect=endless-loop at=measured depth=12
// trial: entry=before check=termination expect=clean depth=12 says=signed_overflow_at_line
// trial: entry=before expect=clean depth=12
// trial: entry=before_unsigned check=termination expect=endless-loop at=before_unsigned depth=12
// trial: entry=before_unsigned expect=endless-loop at=before_unsigned depth=12
// trial: entry=by_constant expect=clean

#include <signal.h>
#include <string.h>

int count_to(int n) {
  int i = 0;
  while (i <= n)
    i++;
  return i;
}

unsigned count_to_unsigned(unsigned n) {
  unsigned i = 0;
  while (i <= n) //~ count_to_unsigned
    i++;
  return i;
}

// What does not fit into a short is converted: that wraps around.
int count_to_short(short n) {
  short i = 0;
  while (i <= n) //~ count_to_short
    i++;
  return i;
}

int count_down(int n) {
  int i = 0;
  while (i >= n)
    i--;
  return i;
}

long count_long(long n) {
  long i;
  for (i = 0; i <= n; i += 3)
    ;
  return i;
}

int negate(int x) {
  while (x < 0)
    x = -x;
  return x;
}

int negate_short(short x) {
  while (x < 0) //~ negate_short
    x = -x;
  return x;
}

// The state comes back after four rounds.
int step(int x) {
  while (x != 5)
    x += 1 << 30;
  return x;
}

int step_unsigned(unsigned x) {
  while (x != 5) //~ step_unsigned
    x += 1u << 30;
  return (int)x;
}

// Of all x, only 0 is never anything else.
int triple(int x) {
  while (x != 1) //~ triple
    x *= 3;
  return x;
}

struct range {
  int at, end;
};

int in_member(int end) {
  struct range range = {0, end};
  struct range *p = &range;
  while (p->at <= p->end)
    p->at++;
  return p->at;
}

static int next(int i) { return i + 1; }

int in_callee(int n) {
  int i = 0;
  while (i <= n)
    i = next(i);
  return i;
}

// What is added is taken away again.
int turns(int x, int y) {
  while (x > 5 && y != 0) { //~ turns
    x += y;
    y = -y;
  }
  return x;
}

// The counter overflows in the end, but nothing reads it.
int idle(int n) {
  int rounds = 0;
  while (n == 3) //~ idle
    rounds++;
  return rounds;
}

int idle_sum(unsigned char n) {
  int sum = 0;
  for (unsigned char i = 0; i <= n; i++) //~ idle_sum
    sum += i;
  return sum;
}

// One that overflows at once is no counter.
int idle_soon(int n) {
  int hash = 1;
  while (n == 3)
    hash = hash * 31 + n;
  return hash;
}

static int is_interrupted;

static void interrupt(int number) { is_interrupted = number; }

// A signal may come.
int signalled(int n) {
  signal(SIGINT, interrupt);
  while (!is_interrupted && n == 3)
    ;
  return 0;
}

struct packet {
  unsigned char b[8];
};

// With a length of 0, the rest stays as long as it is.
int moved(struct packet given) {
  unsigned char left = 7;
  while (left != 0 && left < 8) { //~ moved
    unsigned char length = given.b[0];
    memmove(given.b, given.b + 4, 4);
    left -= length;
  }
  return left;
}

// What is moved ends it.
int moved_on(struct packet given) {
  given.b[1] = 0;
  while (given.b[0] > 100)
    memmove(given.b, given.b + 1, 2);
  return given.b[0];
}

int measured(unsigned n) {
  char text[8] = "abc";
  while (strlen(text) < n) //~ measured
    memset(text, 'x', 3);
  return 0;
}

// The number overflows before the loop, which is never left then.
int before(int at) {
  if (at < 0)
    return 0;
  at++;
  at %= 3;
  int start = at;
  do {
    at++;
    if (at == 3)
      at = 0;
  } while (at != start);
  return at;
}

int before_unsigned(int at) {
  if (at < 0)
    return 0;
  at = (int)((unsigned)at + 1);
  at %= 3;
  int start = at;
  do {
    at++; //~ before_unsigned
    if (at == 3)
      at = 0;
  } while (at != start);
  return at;
}

int by_constant(int x) {
  int most = 2147483647;
  int y = most + 1;
  while (y < 0 && x == 3)
    ;
  return y;
}
