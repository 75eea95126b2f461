// strlen, strnlen, strcpy, strncpy, stpcpy, stpncpy, strdup, strndup, memccpy, mempcpy.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bytes(const char *what, const char *p, size_t n) {
    printf("%s:", what);
    for (size_t i = 0; i < n; i++)
        printf(" %02x", (unsigned char)p[i]);
    putchar('\n');
}

int main(void) {
    char buf[12];
    printf("%zu %zu %zu %zu\n", strlen(""), strlen("abc"), strnlen("abcdef", 3), strnlen("ab", 10));
    memset(buf, '#', sizeof buf);
    printf("%d\n", strcpy(buf, "hey") == buf);
    bytes("strcpy", buf, sizeof buf);
    memset(buf, '#', sizeof buf);
    strncpy(buf, "ab", 5);
    bytes("strncpy pads", buf, sizeof buf);
    memset(buf, '#', sizeof buf);
    strncpy(buf, "abcdefgh", 5);
    bytes("strncpy cuts", buf, sizeof buf);
    char *end = stpcpy(stpcpy(buf, "one"), "two");
    printf("%s %td %td\n", buf, end - buf, stpncpy(buf, "xyz", 8) - buf);
    char *d = strdup("dup"), *n = strndup("truncated", 5), *n2 = strndup("ab", 5);
    printf("%s %s %s\n", d, n, n2);
    free(d);
    free(n);
    free(n2);
    memset(buf, '#', sizeof buf);
    char *stop = memccpy(buf, "key=value", '=', 9);
    bytes("memccpy", buf, sizeof buf);
    printf("%td %d\n", stop - buf, memccpy(buf, "none", 'x', 4) == NULL);
    printf("%td\n", (char *)mempcpy(buf, "abc", 3) - buf);
    return 0;
}
