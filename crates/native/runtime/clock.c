// The VM's time: it begins in September 2001, goes on when it is looked at, and nobody waits for it to pass.

#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define BEGINNING 1000000000
#define SECOND 1000000000L
// How long a look takes.
#define TICK 1000

static long passed;

static struct timespec look(int is_date) {
  passed += TICK;
  return (struct timespec){(is_date ? BEGINNING : 0) + passed / SECOND, passed % SECOND};
}

static void pass(long seconds, long nanoseconds) { passed += seconds * SECOND + nanoseconds; }

unsigned sleep(unsigned seconds) {
  pass(seconds, 0);
  return 0;
}

int usleep(useconds_t microseconds) {
  pass(0, microseconds * 1000L);
  return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *rest) {
  if (rest)
    *rest = (struct timespec){0, 0};
  pass(wanted->tv_sec, wanted->tv_nsec);
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  *now = look(clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE);
  return 0;
}

time_t time(time_t *result) {
  time_t now = look(1).tv_sec;
  if (result)
    *result = now;
  return now;
}

int timespec_get(struct timespec *now, int base) {
  *now = look(1);
  return base;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec date = look(1);
  (void)zone;
  now->tv_sec = date.tv_sec;
  now->tv_usec = date.tv_nsec / 1000;
  return 0;
}

clock_t clock(void) {
  struct timespec used = look(0);
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (SECOND / CLOCKS_PER_SEC);
}
