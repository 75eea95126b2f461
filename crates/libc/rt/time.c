// Clocks and calendar dates. Local time is UTC, whatever the environment says. Text is in strftime.c.

#include "rt.h"

#include <sys/time.h>
#include <time.h>

enum { DAYS_PER_ERA = 146097, YEARS_PER_ERA = 400, SECONDS_PER_DAY = 86400 };

// ---- Clocks

int clock_gettime(clockid_t clock, struct timespec *out) {
  long seconds, nanoseconds;
  if (__rt_result(__sp_clock(clock, &seconds, &nanoseconds)) < 0) return -1;
  out->tv_sec = seconds;
  out->tv_nsec = nanoseconds;
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *out) {
  struct timespec now;
  if (clock_gettime(clock, &now) < 0) return -1;
  if (out) *out = (struct timespec){0, 1};
  return 0;
}

RT_ALIAS(__clock_gettime, clock_gettime);

time_t time(time_t *out) {
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

int timespec_get(struct timespec *out, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, out) == 0 ? base : 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  struct timespec now = {0};
  if (zone) memset(zone, 0, sizeof(struct timezone));
  if (clock_gettime(CLOCK_REALTIME, &now) < 0) return -1;
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

clock_t clock(void) {
  struct timespec used;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) < 0) return -1;
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

double difftime(time_t end, time_t start) { return (double)(end - start); }

int nanosleep(const struct timespec *wanted, struct timespec *left) {
  if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999) return __rt_fail(EINVAL);
  if (left) *left = (struct timespec){0, 0};
  return (int)__rt_result(__sp_sleep(wanted->tv_sec, wanted->tv_nsec));
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
  struct timespec now, span = *wanted;
  int saved = errno, result;
  if (flags & TIMER_ABSTIME) {
    if (clock_gettime(clock, &now) < 0) return errno;
    span.tv_sec -= now.tv_sec;
    span.tv_nsec -= now.tv_nsec;
    if (span.tv_nsec < 0) {
      span.tv_nsec += 1000000000;
      span.tv_sec--;
    }
    if (span.tv_sec < 0) return 0;
  }
  result = nanosleep(&span, left) < 0 ? errno : 0;
  errno = saved;
  return result;
}

// ---- Calendar. Years are counted from March, which puts the leap day last.

static long floor_divide(long n, long by) { return n / by - (n % by < 0); }
static long floor_modulo(long n, long by) { return (n % by + by) % by; }

static long days_before(long year, long month, long day) {
  long shifted = month >= 2 ? month - 2 : month + 10;
  long march_year = month >= 2 ? year : year - 1;
  long era = floor_divide(march_year, YEARS_PER_ERA);
  long year_of_era = march_year - era * YEARS_PER_ERA;
  long day_of_year = (153 * shifted + 2) / 5 + day - 1;
  long day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  // 719468 days lie between 0000-03-01 and 1970-01-01.
  return era * DAYS_PER_ERA + day_of_era - 719468;
}

// Fails when the year does not fit.
static int break_down(time_t time, struct tm *out, const char *zone) {
  long days = floor_divide(time, SECONDS_PER_DAY);
  long seconds = floor_modulo(time, SECONDS_PER_DAY);
  long since_march_0 = days + 719468;
  long era = floor_divide(since_march_0, DAYS_PER_ERA);
  long day_of_era = since_march_0 - era * DAYS_PER_ERA;
  long year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  long day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  long shifted = (5 * day_of_year + 2) / 153;
  long month = shifted < 10 ? shifted + 2 : shifted - 10;
  long year = year_of_era + era * YEARS_PER_ERA + (month < 2);
  if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) return __rt_fail(EOVERFLOW);
  out->tm_sec = (int)(seconds % 60);
  out->tm_min = (int)(seconds / 60 % 60);
  out->tm_hour = (int)(seconds / 3600);
  out->tm_mday = (int)(day_of_year - (153 * shifted + 2) / 5 + 1);
  out->tm_mon = (int)month;
  out->tm_year = (int)(year - 1900);
  out->tm_wday = (int)floor_modulo(days + 4, 7);
  out->tm_yday = (int)(days - days_before(year, 0, 1));
  out->tm_isdst = 0;
  out->tm_gmtoff = 0;
  out->tm_zone = zone;
  return 0;
}

static struct tm shared;

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict out) {
  return break_down(*time, out, "GMT") < 0 ? NULL : out;
}

#define NOTE_ZONE(name) RT_NOTE(RT_ONE_ANSWER, name, "is in UTC in all runs")

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict out) {
  NOTE_ZONE("localtime");
  return break_down(*time, out, "UTC") < 0 ? NULL : out;
}

struct tm *gmtime(const time_t *time) { return gmtime_r(time, &shared); }
struct tm *localtime(const time_t *time) { return localtime_r(time, &shared); }

RT_ALIAS(__gmtime_r, gmtime_r);
RT_ALIAS(__localtime_r, localtime_r);

// Brings the fields into their ranges and computes the rest.
static time_t build_up(struct tm *date, const char *zone) {
  long months = date->tm_mon;
  long years = floor_divide(months, 12);
  long days = days_before(1900 + (long)date->tm_year + years, floor_modulo(months, 12), 1) + date->tm_mday - 1;
  time_t time = ((days * 24 + date->tm_hour) * 60 + date->tm_min) * 60 + date->tm_sec;
  struct tm normal;
  if (break_down(time, &normal, zone) < 0) return -1;
  *date = normal;
  return time;
}

time_t timegm(struct tm *date) { return build_up(date, "GMT"); }
time_t mktime(struct tm *date) {
  NOTE_ZONE("mktime");
  return build_up(date, "UTC");
}

RT_ALIAS(timelocal, mktime);

char *tzname[2] = {"UTC", "UTC"};
int daylight;
long timezone;

extern char *__rt_tzname_alias[2] __asm__("__tzname") __attribute__((alias("tzname")));
extern int __rt_daylight_alias __asm__("__daylight") __attribute__((alias("daylight")));
extern long __rt_timezone_alias __asm__("__timezone") __attribute__((alias("timezone")));

void tzset(void) {}
