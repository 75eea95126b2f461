// A wrapper of vsnprintf and vprintf, as logging code has.
#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 2, 3))) static int logf_(int level, const char *fmt, ...) {
    char line[80];
    va_list ap, copy;
    va_start(ap, fmt);
    va_copy(copy, ap);
    int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    printf("[%d] %s|", level, line);
    vprintf(fmt, copy);
    va_end(copy);
    putchar('\n');
    return n;
}

int main(void) {
    int n = logf_(1, "%s has %d of %ld", "a", 2, 3L);
    n += logf_(2, "%g %c %5.2f %x %p", 1.5, 'x', 3.14159, 255u, (void *)0);
    n += logf_(3, "%d %d %d %d %d %d %d %d %g %g", 1, 2, 3, 4, 5, 6, 7, 8, 9.5, 10.5);
    printf("%d\n", n);
    return 0;
}
