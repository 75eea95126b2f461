// The C locale, which is the only one: "", "C" and "POSIX" all mean it.

#include "rt.h"

#include <ctype.h>
#include <langinfo.h>
#include <locale.h>

static int is_c_locale(const char *name) {
  return name[0] == '\0' || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
}

char *setlocale(int category, const char *name) {
  if (category < 0 || category > LC_IDENTIFICATION) {
    errno = EINVAL;
    return NULL;
  }
  if (name && !is_c_locale(name)) {
    errno = ENOENT;
    return NULL;
  }
  return "C";
}

struct lconv *localeconv(void) {
  static struct lconv conventions = {
      .decimal_point = ".",
      .thousands_sep = "",
      .grouping = "",
      .int_curr_symbol = "",
      .currency_symbol = "",
      .mon_decimal_point = "",
      .mon_thousands_sep = "",
      .mon_grouping = "",
      .positive_sign = "",
      .negative_sign = "",
      .int_frac_digits = CHAR_MAX,
      .frac_digits = CHAR_MAX,
      .p_cs_precedes = CHAR_MAX,
      .p_sep_by_space = CHAR_MAX,
      .n_cs_precedes = CHAR_MAX,
      .n_sep_by_space = CHAR_MAX,
      .p_sign_posn = CHAR_MAX,
      .n_sign_posn = CHAR_MAX,
      .int_p_cs_precedes = CHAR_MAX,
      .int_p_sep_by_space = CHAR_MAX,
      .int_n_cs_precedes = CHAR_MAX,
      .int_n_sep_by_space = CHAR_MAX,
      .int_p_sign_posn = CHAR_MAX,
      .int_n_sign_posn = CHAR_MAX,
  };
  return &conventions;
}

// The entries of LC_TIME that come first, in the header's order: from ABDAY_1 to T_FMT_AMPM.
static const char *const time_items[] = {
    "Sun",     "Mon",      "Tue",   "Wed",    "Thu",  "Fri",  "Sat",
    "Sunday",  "Monday",   "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    "Jan",     "Feb",      "Mar",   "Apr",    "May",  "Jun",  "Jul",    "Aug",       "Sep",     "Oct",      "Nov",      "Dec",
    "January", "February", "March", "April",  "May",  "June", "July",   "August",    "September", "October", "November", "December",
    "AM",      "PM",       "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p",
};

char *nl_langinfo(nl_item item) {
  if (item >= ABDAY_1 && item <= T_FMT_AMPM) return (char *)time_items[item - ABDAY_1];
  switch (item) {
    case CODESET: return "ANSI_X3.4-1968";
    case RADIXCHAR: return ".";
    case YESEXPR: return "^[yY]";
    case NOEXPR: return "^[nN]";
    case CRNCYSTR: return "-";
    default: return "";
  }
}

char *nl_langinfo_l(nl_item item, locale_t locale) {
  (void)locale;
  return nl_langinfo(item);
}

// ---- Locale objects. The header's _l macros read the ctype tables out of them.

static struct __locale_struct c_locale;

locale_t newlocale(int mask, const char *name, locale_t base) {
  (void)mask;
  (void)base;
  if (!is_c_locale(name)) {
    errno = ENOENT;
    return NULL;
  }
  c_locale.__ctype_b = *__ctype_b_loc();
  c_locale.__ctype_tolower = *__ctype_tolower_loc();
  c_locale.__ctype_toupper = *__ctype_toupper_loc();
  return &c_locale;
}

locale_t duplocale(locale_t locale) { return locale == LC_GLOBAL_LOCALE ? newlocale(LC_ALL_MASK, "C", NULL) : locale; }

void freelocale(locale_t locale) { (void)locale; }

locale_t uselocale(locale_t locale) {
  static locale_t current = LC_GLOBAL_LOCALE;
  locale_t before = current;
  if (locale) current = locale;
  return before;
}
