// asprintf, vasprintf, dprintf, fprintf to both streams, %m.
// stderr: compare
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char *make(const char *fmt, ...) {
    char *s;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&s, fmt, ap);
    va_end(ap);
    return n < 0 ? NULL : s;
}

int main(void) {
    char *s;
    int n = asprintf(&s, "%d-%s-%g", 5, "five", 5.5);
    printf("%d %s\n", n, s);
    free(s);
    s = make("%05d%c", 42, '!');
    fprintf(stdout, "%s\n", s);
    free(s);
    fflush(stdout);
    dprintf(1, "direct %x\n", 255);
    fprintf(stderr, "error %s\n", "text");
    errno = ENOENT;
    fprintf(stderr, "%m\n");
    return 0;
}
