// Strings, characters, pointers, percent, %n, return values, null strings.
#include <stdio.h>

int main(void) {
    int n = 0, m = 0;
    int r = printf("[%s][%10s][%-10s][%.2s][%10.2s][%.0s]%n\n", "text", "text", "text", "text", "text", "text", &n);
    printf("%d %d\n", r, n);
    printf("[%c][%5c][%-5c][%%][%c]\n", 'a', 'b', 'c', 0);
    printf("[%.*s][%*s]\n", 3, "abcdef", 6, "ab");
    printf("[%p][%s]\n", NULL, (char *)NULL);
    printf("[%s][%.3s]\n", "", (char[]){'a', 'b', 'c'});
    printf("[%ls][%lc][%5.2ls]\n", L"wide", L'w', L"wide");
    r = printf("a%nb\n", &m);
    printf("%d %d\n", r, m);
    char buf[6];
    r = snprintf(buf, sizeof buf, "%s", "longer than that");
    printf("%d %s %d\n", r, buf, snprintf(NULL, 0, "%d", 12345));
    r = sprintf(buf, "%c%c", 'x', 'y');
    printf("%d %s\n", r, buf);
    puts("puts adds a line end");
    fputs("fputs does not", stdout);
    putchar('\n');
    return putc('!', stdout) != '!' || puts("") < 0;
}
