// scanf on stdin across lines, mixed with getchar, ungetc and fgets, up to the end of input.
// stdin: 3\n1 2 3\nname: spelunk\nrest of line\n4 x 5
#include <stdio.h>

int main(void) {
    int n, v, sum = 0, c;
    char name[20], line[40];
    if (scanf("%d", &n) != 1)
        return 1;
    while (n--)
        if (scanf("%d", &v) == 1)
            sum += v;
    printf("%d\n", sum);
    printf("%d", scanf(" name: %19s", name));
    printf(" %s\n", name);
    c = getchar();
    printf("%d\n", c);
    if (!fgets(line, sizeof line, stdin))
        return 1;
    printf("%s", line);
    c = getc(stdin);
    ungetc(c, stdin);
    printf("%c ", c);
    printf("%d ", scanf("%d", &v));
    printf("%d ", scanf("%d", &v));
    printf("%c ", getchar());
    printf("%d %d ", scanf("%d", &v), v);
    printf("%d %d %d\n", scanf("%d", &v), feof(stdin) != 0, ferror(stdin));
    return 0;
}
