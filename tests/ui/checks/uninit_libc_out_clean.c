// What the library writes through a pointer counts as initialised.
// stdin: 12 word 3.5\nline two\nrest
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    int n;
    char word[20], line[40], buf[8], text[16];
    double d;
    if (scanf("%d %19s %lf", &n, word, &d) == 3)
        printf("%d %s %g\n", n, word, d);
    if (fgets(line, sizeof line, stdin) && fgets(line, sizeof line, stdin))
        printf("%s", line);
    size_t got = fread(buf, 1, sizeof buf, stdin);
    printf("%zu %.*s\n", got, (int)got, buf);
    char *end;
    long v = strtol("99x", &end, 10);
    if (*end == 'x')
        printf("%ld\n", v);
    struct tm tm;
    time_t t = 86400;
    gmtime_r(&t, &tm);
    snprintf(text, sizeof text, "%d-%d", tm.tm_mday, tm.tm_hour);
    if (strcmp(text, "2-0") == 0)
        puts(text);
    return 0;
}
