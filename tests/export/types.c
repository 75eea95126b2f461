// Parameters of all kinds: for tests that are exported.
#include <spelunk.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double x, y;
} point;

enum color { RED, GREEN = 5, BLUE };

union value {
  int number;
  float real;
  char text[8];
};

struct shape {
  enum color color;
  point at;
  union value value;
  unsigned flag : 3;
  signed small : 5;
  char name[4];
  unsigned char raw;
  long double wide;
  _Bool is_set;
};

struct ring {
  struct ring *next, *self;
  short n;
};

struct packet {
  int len;
  char data[];
};

static int limit = 10;
static struct {
  int a, b;
} config;
static int table[4];
static int calls;

point by_value(point a, struct ring r) {
  point middle = {a.x / 2, a.y / 2};
  if (middle.x > 100.5)
    middle.x = r.n;
  return middle;
}

int members(struct shape *s, enum color color) {
  if (!s)
    return -1;
  if (s->color == color) {
    s->at.x = 1.5;
    s->wide = 0.25;
    return 2;
  }
  if (s->flag == 3 && s->small == -2) {
    s->name[0] = 'q';
    s->color = BLUE;
    return 7;
  }
  if (s->raw == 0xfe) {
    strcpy(s->name, "a\"b");
    s->raw = 0xff;
    s->is_set = 1;
  }
  return 1;
}

long rows(int **rows, int n) {
  long sum = 0;
  if (!rows || n > 2 || n < 0)
    return -1;
  for (int i = 0; i < n; i++)
    if (rows[i])
      sum += *rows[i];
  if (n == 1)
    rows[1] = rows[0];
  return sum;
}

int text(const char *s) {
  int n = 0;
  while (*s >= '0' && *s <= '9' && n < 100)
    n = n * 10 + (*s++ - '0');
  return *s == '"' ? -2 : n;
}

unsigned buffer(unsigned char *data, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += data[i];
  if (sum > 700)
    data[0] = 0x80;
  return sum;
}

int callback(int (*f)(int), double (*g)(void)) {
  if (f(3) > 10)
    return f(4);
  return g() > 2.5;
}

int variables(int x) {
  static int inner;
  inner++;
  calls++;
  if (x > limit) {
    limit = x;
    table[1] = 7;
    return config.a == table[2];
  }
  return 0;
}

int sensor(void);
char *name_of(int number);
double voltage(void);
struct big {
  long a, b, c;
};
struct big measure(void);

int device(void) {
  char *name = name_of(1);
  if (!name)
    return -1;
  if (name[0] == 'x' && sensor() > 40)
    return sensor();
  if (measure().b == 9)
    return 3;
  return voltage() > 1.5;
}

float floats(float f, double d) {
  if (f > 1e10f)
    return f * 2;
  if (f != f)
    return f;
  return d > 0.5 ? 1 / (float)0.0 : f / 2;
}

int cycle(struct ring *ring) {
  if (!ring || ring->self != ring)
    return 0;
  if (ring->next && ring->next->next == ring) {
    ring->next->n = 5;
    return 2;
  }
  return 1;
}

void quits(int x) {
  if (x == 42)
    exit(3);
  if (x == 43)
    abort();
}

int flexible(struct packet *p) {
  if (!p)
    return 0;
  if (p->data[2] == 'x') {
    p->data[3] = 'y';
    return 1;
  }
  return 2;
}

int release(struct ring *ring) {
  if (!ring || !ring->next)
    return 0;
  free(ring->next);
  if (ring->n == 3)
    ring->next->n = 1;
  return 1;
}

int harness(int x) {
  int y = spelunk_int("y");
  spelunk_assume(y > 3);
  spelunk_assert(x != 7 || y != 9);
  return x == y;
}
