// memcpy, memmove over overlaps in both directions, memset, memchr on zeros, bcopy, bzero, swab.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

int main(void) {
    char a[27] = "abcdefghijklmnopqrstuvwxyz", b[27];
    memcpy(b, a, sizeof b);
    memmove(a + 3, a, 10);
    puts(a);
    memmove(b, b + 3, 10);
    puts(b);
    memset(b + 5, '-', 5);
    puts(b);
    bcopy(b, b + 1, 4);
    puts(b);
    bzero(b + 20, 3);
    printf("%s %td\n", b, (char *)memchr(b, 0, 27) - b);
    char sw[] = "badc", to[5] = "";
    swab(sw, to, 4);
    puts(to);
    printf("%d\n", memmove(a, a, 0) == a);
    return 0;
}
