// No input at all.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char buf[4];
    int n;
    printf("%d %d ", getchar(), fgets(buf, 4, stdin) == NULL);
    printf("%d %d %zu\n", scanf("%d", &n), feof(stdin) != 0, fread(buf, 1, 4, stdin));
    clearerr(stdin);
    printf("%d %zd\n", feof(stdin), read(0, buf, 4));
    return 0;
}
