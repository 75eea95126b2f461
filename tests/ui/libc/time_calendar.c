// gmtime, timegm, mktime in UTC with normalisation, strftime, asctime, difftime, over leap years and before 1970.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static void show(time_t t) {
    struct tm tm;
    char buf[200];
    gmtime_r(&t, &tm);
    strftime(buf, sizeof buf, "%Y-%m-%d %H:%M:%S %a %A %b %B %j %U %W %w %u %y %C %e %I %p %D %F %T %R %G %V %n%t%%", &tm);
    printf("%lld %s %lld\n", (long long)t, buf, (long long)timegm(&tm));
}

int main(void) {
    const time_t v[] = {0, 1, 86399, 951782400, 951868800, 1078012800, 1709164800, 1735689599, 2147483647, 4102444800, -1, -86400, -2208988800};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        show(v[i]);
    struct tm tm = {.tm_year = 124, .tm_mon = 13, .tm_mday = 31, .tm_hour = 25, .tm_min = -5, .tm_isdst = 0};
    time_t t = mktime(&tm);
    printf("%lld %d %d %d %d %d %d %d\n", (long long)t, tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_wday, tm.tm_yday);
    printf("%s", asctime(gmtime(&v[6])));
    printf("%s", ctime(&v[3]));
    printf("%g %d\n", difftime(v[1], v[2]), localtime(&v[4])->tm_hour);
    char small[4];
    printf("%zu %zu\n", strftime(small, sizeof small, "%Y", gmtime(&t)), strftime(small, sizeof small, "%d", gmtime(&t)));
    return 0;
}
