// fgets with short buffers, getline, getdelim, getchar to the end, a last line without line end.
// stdin: short\na rather longer line\n\nk1:k2:last
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char buf[8];
    for (int i = 0; i < 4; i++)
        printf("[%s]", fgets(buf, sizeof buf, stdin));
    putchar('\n');
    char *line = NULL;
    size_t cap = 0;
    ssize_t n = getline(&line, &cap, stdin);
    printf("%zd %d\n", n, line[0]);
    n = getdelim(&line, &cap, ':', stdin);
    printf("%zd %s %d\n", n, line, cap >= 4);
    for (int c; (c = getchar()) != EOF;)
        putchar(c == ':' ? '/' : c);
    printf("\n%zd %d %d\n", getline(&line, &cap, stdin), feof(stdin) != 0, getchar());
    free(line);
    return 0;
}
