// Dates as text in the C locale: strftime with glibc's flags and widths, asctime, ctime.

#include "rt.h"

#include <time.h>

static const char day_names[7][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char month_names[12][10] = {"January", "February", "March",     "April",   "May",      "June",
                                         "July",    "August",   "September", "October", "November", "December"};

struct output {
  char *next;
  size_t room;  // with the terminator
  size_t count;
  int overflow;
};

enum letter_case { AS_IS, UPPER, LOWER };

// What stands between % and the conversion.
struct item {
  char padding;  // '_', '-', '0', or 0 for the default
  int width;
  int upper, swap_case;
  char modifier;  // E, O, or 0
  char conversion;
};

static void put_char(struct output *out, char c) {
  if (out->overflow || out->count + 1 >= out->room) {
    out->overflow = 1;
    return;
  }
  *out->next++ = c;
  out->count++;
}

static void put_text(struct output *out, const struct item *item, const char *text, size_t n, enum letter_case how) {
  for (size_t i = n; i < (size_t)item->width && !out->overflow; i++) put_char(out, item->padding == '0' ? '0' : ' ');
  for (size_t i = 0; i < n; i++) {
    int c = (unsigned char)text[i];
    put_char(out, (char)(how == UPPER ? __rt_to_upper(c) : how == LOWER ? __rt_to_lower(c) : c));
  }
}

// A name, of which at most `limit` letters are used; out of the table it is a question mark.
static void put_name(struct output *out, const struct item *item, const char (*names)[10], int n_names, int index,
                     size_t limit) {
  const char *name = index >= 0 && index < n_names ? names[index] : "?";
  size_t length = strlen(name);
  put_text(out, item, name, length < limit ? length : limit, item->upper || item->swap_case ? UPPER : AS_IS);
}

// A number of at least `digits` characters, padded by `padding` unless the item says otherwise.
static void put_number(struct output *out, const struct item *item, long value, int digits, char padding) {
  char buf[24];
  size_t start = sizeof buf;
  unsigned long rest = value < 0 ? 0 - (unsigned long)value : (unsigned long)value;
  struct item remaining = *item;
  int missing;
  if (item->padding) padding = item->padding;
  if (padding != '-' && digits < item->width) digits = item->width;
  do buf[--start] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  missing = digits - (int)(sizeof buf - start) - (value < 0);
  if (padding == '_') {
    for (int i = 0; i < missing; i++) put_char(out, ' ');
    if (missing > 0) remaining.width = remaining.width > missing ? remaining.width - missing : 0;
  } else if (padding == '0') {
    if (value < 0) put_char(out, '-');
    for (int i = 0; i < missing; i++) put_char(out, '0');
    remaining.width = 0;
  }
  if (value < 0 && padding != '0') buf[--start] = '-';
  put_text(out, &remaining, buf + start, sizeof buf - start, AS_IS);
}

// ---- Weeks

static int is_leap(long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// Days between the Monday of ISO week 1 and a day; negative when the day belongs to the year before.
static int days_into_iso_year(int day_of_year, int week_day) {
  int big_enough = 3 * 7;  // keeps the operand of % positive
  return day_of_year - (day_of_year - week_day + 4 + big_enough) % 7 + 4 - 1;
}

struct iso_week {
  long year;
  int week;
};

static struct iso_week iso_week_of(const struct tm *date) {
  long year = 1900 + (long)date->tm_year;
  int days = days_into_iso_year(date->tm_yday, date->tm_wday);
  if (days < 0) {
    year--;
    days = days_into_iso_year(date->tm_yday + 365 + is_leap(year), date->tm_wday);
  } else {
    int in_next = days_into_iso_year(date->tm_yday - 365 - is_leap(year), date->tm_wday);
    if (in_next >= 0) {
      year++;
      days = in_next;
    }
  }
  return (struct iso_week){year, days / 7 + 1};
}

static int twelve_hour(int hour) { return hour == 0 ? 12 : hour > 12 ? hour - 12 : hour; }

static long floor_modulo(long n, long by) { return (n % by + by) % by; }

// ---- Conversions

static void format(struct output *out, const char *text, const struct tm *date, int upper);

// A conversion that stands for several; its text is padded as a whole.
static void put_composite(struct output *out, const struct item *item, const char *text, const struct tm *date) {
  char buf[128];
  struct output inner = {buf, sizeof buf, 0, 0};
  format(&inner, text, date, item->upper);
  if (inner.overflow) out->overflow = 1;
  put_text(out, item, buf, inner.count, item->upper ? UPPER : AS_IS);
}

static void put_zone_offset(struct output *out, const struct item *item, const struct tm *date) {
  long minutes = date->tm_gmtoff / 60;
  if (date->tm_isdst < 0) return;
  // As in glibc, sign and number each fill the width.
  put_text(out, item, date->tm_gmtoff < 0 ? "-" : "+", 1, AS_IS);
  if (minutes < 0) minutes = -minutes;
  put_number(out, item, minutes / 60 * 100 + minutes % 60, 4, '0');
}

static void put_zone_name(struct output *out, const struct item *item, const struct tm *date) {
  const char *zone = date->tm_zone ? date->tm_zone : "";
  put_text(out, item, zone, strlen(zone), item->swap_case ? LOWER : item->upper ? UPPER : AS_IS);
}

static void put_half_of_day(struct output *out, const struct item *item, const struct tm *date) {
  enum letter_case how = item->conversion == 'P' || item->swap_case ? LOWER : AS_IS;
  put_text(out, item, date->tm_hour > 11 ? "PM" : "AM", 2, how);
}

static void put_epoch_seconds(struct output *out, const struct item *item, const struct tm *date) {
  struct tm copy = *date;
  put_number(out, item, mktime(&copy), 1, '-');
}

// Whether the conversion is known.
static int convert(struct output *out, const struct item *item, const struct tm *date) {
  long year = 1900 + (long)date->tm_year;
  switch (item->conversion) {
    case 'a': put_name(out, item, day_names, 7, date->tm_wday, 3); break;
    case 'A': put_name(out, item, day_names, 7, date->tm_wday, SIZE_MAX); break;
    case 'b': case 'h': put_name(out, item, month_names, 12, date->tm_mon, 3); break;
    case 'B': put_name(out, item, month_names, 12, date->tm_mon, SIZE_MAX); break;
    case 'c': put_composite(out, item, "%a %b %e %H:%M:%S %Y", date); break;
    case 'C': put_number(out, item, year / 100 - (year % 100 < 0), 1, '0'); break;
    case 'd': put_number(out, item, date->tm_mday, 2, '0'); break;
    case 'D': case 'x': put_composite(out, item, "%m/%d/%y", date); break;
    case 'e': put_number(out, item, date->tm_mday, 2, '_'); break;
    case 'F': put_composite(out, item, "%Y-%m-%d", date); break;
    case 'g': put_number(out, item, floor_modulo(iso_week_of(date).year, 100), 2, '0'); break;
    case 'G': put_number(out, item, iso_week_of(date).year, 1, '0'); break;
    case 'H': put_number(out, item, date->tm_hour, 2, '0'); break;
    case 'I': put_number(out, item, twelve_hour(date->tm_hour), 2, '0'); break;
    case 'j': put_number(out, item, (long)date->tm_yday + 1, 3, '0'); break;
    case 'k': put_number(out, item, date->tm_hour, 2, '_'); break;
    case 'l': put_number(out, item, twelve_hour(date->tm_hour), 2, '_'); break;
    case 'm': put_number(out, item, (long)date->tm_mon + 1, 2, '0'); break;
    case 'M': put_number(out, item, date->tm_min, 2, '0'); break;
    case 'n': put_text(out, item, "\n", 1, AS_IS); break;
    case 'p': case 'P': put_half_of_day(out, item, date); break;
    case 'r': put_composite(out, item, "%I:%M:%S %p", date); break;
    case 'R': put_composite(out, item, "%H:%M", date); break;
    case 's': put_epoch_seconds(out, item, date); break;
    case 'S': put_number(out, item, date->tm_sec, 2, '0'); break;
    case 't': put_text(out, item, "\t", 1, AS_IS); break;
    case 'T': case 'X': put_composite(out, item, "%H:%M:%S", date); break;
    case 'u': put_number(out, item, (date->tm_wday + 6) % 7 + 1, 1, '0'); break;
    case 'U': put_number(out, item, (date->tm_yday - date->tm_wday + 7) / 7, 2, '0'); break;
    case 'V': put_number(out, item, iso_week_of(date).week, 2, '0'); break;
    case 'w': put_number(out, item, date->tm_wday, 1, '0'); break;
    case 'W': put_number(out, item, (date->tm_yday - (date->tm_wday + 6) % 7 + 7) / 7, 2, '0'); break;
    case 'y': put_number(out, item, floor_modulo(year, 100), 2, '0'); break;
    case 'Y': put_number(out, item, year, 1, '0'); break;
    case 'z': put_zone_offset(out, item, date); break;
    case 'Z': put_zone_name(out, item, date); break;
    case '%': put_text(out, item, "%", 1, AS_IS); break;
    default: return 0;
  }
  return 1;
}

// Parses what follows a '%'; the end of the conversion.
static const char *parse_item(const char *p, struct item *item) {
  *item = (struct item){0};
  for (;; p++) {
    if (*p == '_' || *p == '-' || *p == '0') item->padding = *p;
    else if (*p == '^') item->upper = 1;
    else if (*p == '#') item->swap_case = 1;
    else break;
  }
  for (; __rt_is_digit(*p); p++) {
    if (item->width < 100000000) item->width = item->width * 10 + (*p - '0');
  }
  if (*p == 'E' || *p == 'O') item->modifier = *p++;
  item->conversion = *p;
  return *p == '\0' ? p : p + 1;
}

// The C locale has no alternative eras and digits; glibc still refuses them on these conversions.
static int accepts_modifier(const struct item *item) {
  switch (item->modifier) {
    case 'E': return strchr("aAbBdDeFgGhHIjklmMSUVwW", item->conversion) == NULL;
    case 'O': return strchr("aAcDFxXY", item->conversion) == NULL;
    default: return 1;
  }
}

static void format(struct output *out, const char *text, const struct tm *date, int upper) {
  while (*text != '\0' && !out->overflow) {
    struct item item;
    const char *start = text;
    if (*text != '%') {
      put_char(out, *text++);
      continue;
    }
    text = parse_item(text + 1, &item);
    item.upper |= upper;
    // An unknown conversion stands for itself.
    if (!accepts_modifier(&item) || !convert(out, &item, date)) {
      put_text(out, &item, start, (size_t)(text - start), item.upper ? UPPER : AS_IS);
    }
  }
}

size_t strftime(char *restrict buf, size_t cap, const char *restrict text, const struct tm *restrict date) {
  struct output out = {buf, cap, 0, 0};
  if (cap == 0) return 0;
  format(&out, text, date, 0);
  if (out.overflow) return 0;
  *out.next = '\0';
  return out.count;
}

size_t strftime_l(char *restrict buf, size_t cap, const char *restrict text, const struct tm *restrict date,
                  locale_t locale) {
  (void)locale;
  return strftime(buf, cap, text, date);
}

// ---- asctime and ctime

enum { ASCTIME_SIZE = 26 };

static char *write_date(const struct tm *date, char *buf, size_t cap) {
  const char *day = date->tm_wday >= 0 && date->tm_wday < 7 ? day_names[date->tm_wday] : "???";
  const char *month = date->tm_mon >= 0 && date->tm_mon < 12 ? month_names[date->tm_mon] : "???";
  int n = snprintf(buf, cap, "%.3s %.3s%3d %.2d:%.2d:%.2d %ld\n", day, month, date->tm_mday, date->tm_hour,
                   date->tm_min, date->tm_sec, 1900 + (long)date->tm_year);
  if (n >= 0 && (size_t)n < cap && date->tm_year <= INT_MAX - 1900) return buf;
  errno = EOVERFLOW;
  return NULL;
}

static char shared[114];

char *asctime(const struct tm *date) { return write_date(date, shared, sizeof shared); }
char *asctime_r(const struct tm *restrict date, char *restrict buf) { return write_date(date, buf, ASCTIME_SIZE); }

char *ctime(const time_t *time) {
  const struct tm *date = localtime(time);
  return date ? asctime(date) : NULL;
}

char *ctime_r(const time_t *restrict time, char *restrict buf) {
  struct tm date;
  return localtime_r(time, &date) ? write_date(&date, buf, ASCTIME_SIZE) : NULL;
}
