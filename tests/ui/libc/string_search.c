// strchr, strrchr, strchrnul, memchr, memrchr, strstr, strcasestr, memmem, strpbrk, strspn, strcspn, index, ffs.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static long at(const char *base, const void *p) { return p ? (const char *)p - base : -1; }

int main(void) {
    const char *s = "the quick brown fox, the end";
    printf("%ld %ld %ld %ld\n", at(s, strchr(s, 'q')), at(s, strchr(s, 'z')), at(s, strchr(s, 0)), at(s, strrchr(s, 'e')));
    printf("%ld %ld %ld\n", at(s, strchrnul(s, 'z')), at(s, strchrnul(s, 'b')), at(s, strrchr(s, 'Q')));
    printf("%ld %ld %ld\n", at(s, memchr(s, 'u', 5)), at(s, memchr(s, 'u', 6)), at(s, memrchr(s, 't', 28)));
    printf("%ld %ld %ld %ld\n", at(s, strstr(s, "the")), at(s, strstr(s + 1, "the")), at(s, strstr(s, "")), at(s, strstr(s, "then")));
    printf("%ld %ld %ld\n", at(s, strcasestr(s, "BROWN")), at(s, memmem(s, 28, "fox", 3)), at(s, memmem(s, 18, "fox", 3)));
    printf("%ld %ld\n", at(s, strpbrk(s, "xyz,")), at(s, strpbrk(s, "XYZ")));
    printf("%zu %zu %zu %zu\n", strspn(s, "eht "), strcspn(s, " "), strspn("", "a"), strcspn("abc", ""));
    printf("%ld %ld\n", at(s, index(s, 'k')), at(s, rindex(s, 't')));
    printf("%d %d %d %d\n", ffs(0), ffs(8), ffsl(1L << 40), ffsll(-1));
    printf("%ld\n", at(s, strstr("aaaaaab", "aaab") ? s + (strstr("aaab", "aab") != NULL) : NULL));
    return 0;
}
