// P5: synthesis of a flight's trajectory after its plan, a doubly linked list of fixes. The plan is a ring through a header.
#include "subject.h"

#ifndef LIMIT
#define LIMIT 3 // fixes of the longest plan, where inputs are bounded by `small`
#endif

struct fix {
  signed char x, y;
  struct fix *next, *prev;
};

struct plan {
  struct fix *header;
  unsigned size;
};

struct point {
  int x, y, distance;
};

// The back links end the walk on any heap: a fix that it met again would have two predecessors.
int ok(const struct plan *s) {
  if (!s || !s->header)
    return 0;
  const struct fix *p = s->header;
  unsigned n = 0;
  do {
    if (!p->next || p->next->prev != p)
      return 0;
    p = p->next;
    if (p != s->header)
      n++;
  } while (p != s->header);
  return n == s->size;
}

int small(const struct plan *s) { return s && s->size <= LIMIT && ok(s); }

// The same for a heap that is partly decided. A second pointer at half the speed ends the walk where back links are open.
int maybe_ok(const struct plan *s) {
  if (!spelunk_is_decided(s))
    return 1;
  if (!s)
    return 0;
  if (!spelunk_is_decided(s->header))
    return 1;
  if (!s->header)
    return 0;
  const struct fix *p = s->header, *slow = p;
  unsigned n = 0;
  for (unsigned step = 0;; step++) {
    if (!spelunk_is_decided(p->next))
      return 1;
    if (!p->next || (spelunk_is_decided(p->next->prev) && p->next->prev != p))
      return 0;
    p = p->next;
    if (p == s->header)
      return n == s->size;
    if (p == slow)
      return 0;
    if (step % 2)
      slow = slow->next;
    n++;
  }
}

// For heaps whose shape is valid: the size is what is known of the ring, or at least that.
int numbers_ok(const struct plan *s) {
  if (!spelunk_is_decided(s) || !spelunk_is_decided(s->header))
    return 1;
  const struct fix *front = s->header;
  unsigned n = 0;
  for (; spelunk_is_decided(front->next); front = front->next) {
    if (front->next == s->header)
      return s->size == n;
    n++;
  }
  for (const struct fix *back = s->header; spelunk_is_decided(back->prev); back = back->prev) {
    if (back->prev == front)
      return s->size == n;
    n++;
  }
  return s->size >= n;
}

static int difference(int a, int b) { return a < b ? b - a : a - b; }

static int distance(const struct fix *p, int x, int y) { return difference(p->x, x) + difference(p->y, y); }

// The fix that is nearest to a position; of several the first, and the header if there is none.
static struct fix *find_nearest(struct plan *s, int x, int y) {
  struct fix *nearest = s->header;
  int best = -1;
  for (struct fix *p = s->header->next; p != s->header; p = p->next) {
    int here = distance(p, x, y);
    if (best < 0 || here < best) {
      nearest = p;
      best = here;
    }
  }
  return nearest;
}

// What is left of the plan from a fix on, at most so far, as points behind the position. Returns how many there are.
static unsigned follow(struct plan *s, struct fix *from, short horizon, struct point *points) {
  unsigned n = 1;
  for (struct fix *p = from; p != s->header && points[n - 1].distance < horizon; p = p->next) {
    int flown = points[n - 1].distance + distance(p, points[n - 1].x, points[n - 1].y);
    points[n] = (struct point){p->x, p->y, flown};
    n++;
  }
  return n;
}

// The trajectory begins at the position and its points lie behind each other, one for each fix at most.
int synthesise(struct plan *s, signed char x, signed char y, short horizon) {
  struct fix *nearest = find_nearest(s, x, y);
  struct point *points = malloc((s->size + 1) * sizeof *points);
  if (!points)
    abort();
  points[0] = (struct point){x, y, 0};
  unsigned n = follow(s, nearest, horizon, points);
  spelunk_assert(n <= s->size + 1);
  for (unsigned i = 1; i < n; i++)
    spelunk_assert(points[i].distance >= points[i - 1].distance);
  free(points);
  return (int)n;
}

// How many fixes lie between the end of the plan and the one that is nearest.
int left_to_fly(struct plan *s, signed char x, signed char y) {
  struct fix *nearest = find_nearest(s, x, y);
  int n = 0;
  for (struct fix *p = s->header->prev; p != nearest; p = p->prev)
    n++;
  spelunk_assert((unsigned)n <= s->size);
  return n;
}

// Drops the fixes before the one that is nearest.
int join_route(struct plan *s, signed char x, signed char y) {
  struct fix *nearest = find_nearest(s, x, y);
  int dropped = 0;
  for (struct fix *p = s->header->next; p != nearest; dropped++) {
    struct fix *next = p->next;
    p->prev->next = next;
    next->prev = p->prev;
    free(p);
    s->size--;
    p = next;
  }
  spelunk_assert(s->header->next == nearest);
  return dropped;
}

#ifdef SELFTEST
static void append(struct plan *s, int x, int y) {
  struct fix *p = malloc(sizeof *p);
  *p = (struct fix){(signed char)x, (signed char)y, s->header, s->header->prev};
  s->header->prev->next = p;
  s->header->prev = p;
  s->size++;
}

static void check(struct plan *s) {
  EXPECT(ok(s));
  EXPECT(maybe_ok(s));
  EXPECT(numbers_ok(s));
  REFUSED(s->size, s->size + 1);
  REFUSED(s->header, NULL);
  struct fix *p = s->header;
  do {
    struct fix *values[] = {NULL, p, s->header, s->header->next};
    for (int i = 0; i < 4; i++) {
      if (p->next != values[i])
        REFUSED(p->next, values[i]);
      if (p->prev != values[i])
        REFUSED(p->prev, values[i]);
    }
    OPEN(p->next);
    OPEN(p->prev);
    WITH(p->next, UNDECIDED, OPEN(s->header->prev));
    p = p->next;
  } while (p != s->header);
}

int main(void) {
  struct fix *header = malloc(sizeof *header);
  *header = (struct fix){0, 0, header, header};
  struct plan plan = {header, 0};
  struct plan *s = &plan;
  for (int i = 0; i < 2000; i++) {
    check(s);
    signed char x = (signed char)(next_random() % 100), y = (signed char)(next_random() % 100);
    EXPECT((unsigned)synthesise(s, x, y, (short)(next_random() % 200)) <= s->size + 1);
    EXPECT((unsigned)left_to_fly(s, x, y) <= s->size);
    if (i % 7 == 6)
      join_route(s, x, y);
    append(s, (int)(next_random() % 100), (int)(next_random() % 100));
  }
  EXPECT(synthesise(s, -128, 127, 32767) > 0);
  while (s->size > 0) {
    struct fix *p = header->next;
    header->next = p->next;
    p->next->prev = header;
    free(p);
    s->size--;
  }
  check(s);
  EXPECT(synthesise(s, 1, 1, 5) == 1 && left_to_fly(s, 0, 0) == 0);
  free(header);
  return 0;
}
#endif
