// Loops that go different ways in different rounds and never end, whichever they take; each beside one that ends. And sets of states that lie in
// local variables whose addresses are taken, or are floating-point numbers.
// trial: entry=swing check=termination expect=endless-loop at=swing says=left_while_at_!=_0 depth=12
// trial: entry=swing_out check=termination expect=clean depth=12
// trial: entry=mixed check=termination expect=endless-loop at=mixed says=left_while_left_!=_0
// trial: entry=mixed_out check=termination expect=clean depth=8
// trial: entry=later check=termination expect=endless-loop at=later says=left_while_x_!=_0 depth=12
// trial: entry=later_out check=termination expect=clean depth=12
// trial: entry=inner check=termination expect=endless-loop at=inner says=left_while_i_<_5 depth=20
// trial: entry=inner_out check=termination expect=clean depth=20
// trial: entry=bumped check=termination expect=endless-loop at=bumped says=left_while_i_<=_n_&&_by_==_0 depth=6
// trial: entry=bumped_out check=termination expect=clean depth=6
// trial: entry=stands_still check=termination expect=endless-loop at=stands_still says=left_while_f_<_1000000000.0f
// trial: entry=doubled check=termination expect=clean depth=4
// trial: entry=open_size check=termination expect=clean depth=8

// How far it swings depends on the input; that it comes back does not.
unsigned char swing(unsigned char x) {
  unsigned char at = 10;
  while (at != 0) { //~ swing
    if (at > 100 + x % 4)
      at = 7;
    else
      at += x % 3 + 1;
  }
  return at;
}

unsigned char swing_out(unsigned char x) {
  unsigned char at = 10;
  while (at != 0) {
    if (at > 100 + x % 4)
      at = 0;
    else
      at += x % 3 + 1;
  }
  return at;
}

// The ways have no period that anybody could wait for.
unsigned mixed(unsigned seed) {
  unsigned left = 3;
  while (left > 0) { //~ mixed
    seed = seed * 1103515245u + 12345u;
    if (seed & 0x10000)
      left = 2;
    else
      left = 1;
  }
  return seed;
}

unsigned mixed_out(unsigned char seed) {
  unsigned left = 3;
  while (left > 0) {
    seed = (unsigned char)(seed * 5 + 3);
    if (seed & 0x40)
      left = 2;
    else
      left--;
  }
  return seed;
}

// The other way is taken after a thousand rounds only.
unsigned later(unsigned x) {
  unsigned y = 0;
  while (x != 0) { //~ later
    if (y > 1000)
      x = 5;
    else
      y++;
  }
  return y;
}

unsigned later_out(unsigned x) {
  unsigned y = 0;
  while (x != 0) {
    if (y > 1000)
      x = 0;
    else
      y++;
  }
  return y;
}

// The inner loop has another number of rounds each time.
unsigned inner(unsigned char total) {
  unsigned char i = 0;
  while (i < 5) { //~ inner
    for (unsigned char j = 0; j < total % 3; j++)
      i = 4;
    total += 5;
  }
  return total;
}

unsigned inner_out(unsigned char n) {
  unsigned char total = n, i = 0;
  while (i < 5) {
    for (unsigned char j = 0; j < total % 3; j++)
      total += 3;
    total += 5;
    i++;
  }
  return total;
}

static void bump(int *p, int by) { *p += by; }

int bumped(int n, int by) {
  int i = 0;
  while (i <= n) //~ bumped
    bump(&i, by);
  return i;
}

int bumped_out(short n) {
  int i = 0;
  while (i < n)
    bump(&i, 1);
  return i;
}

// At 16777216 the sum is rounded to what it was.
float stands_still(float f) {
  while (f < 1e9f) //~ stands_still
    f += 1;
  return f;
}

float doubled(float f) {
  int n = 0;
  while (f > 1e30f && f < 1e37f && n < 30) {
    f *= 2;
    n++;
  }
  return f;
}

// How many elements there are is settled in some round.
int open_size(int n, int x) {
  if (n < 1 || n > 100)
    n = 1;
  int *a = __builtin_alloca(n * sizeof *a);
  for (int i = 0; i < n; i++) {
    a[i] = x;
    if (a[i] < 0)
      a[i] = 0;
  }
  int j = 0;
  while (0 <= j && j < n)
    if (a[j] < 0)
      j--;
    else
      j++;
  return j;
}
