// strcmp, strncmp, memcmp, strcasecmp, strncasecmp, strcoll: signs and bounds; bytes compare unsigned.
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    const char *v[] = {"", "a", "A", "ab", "abc", "abd", "b", "\x80", "\xff", "Ab"};
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++)
            printf("%d%d%d%d ", sign(strcmp(v[i], v[j])), sign(strncmp(v[i], v[j], 2)), sign(strcoll(v[i], v[j])), i < 7 && j < 7 ? sign(strcasecmp(v[i], v[j])) : 0);
        putchar('\n');
    }
    printf("%d %d %d\n", sign(memcmp("a\0b", "a\0c", 3)), sign(memcmp("\x80", "\x7f", 1)), memcmp("x", "y", 0));
    printf("%d %d %d\n", strncmp("abc", "abd", 2), strncasecmp("HELLO", "help", 3), sign(strncasecmp("HELLO", "help", 4)));
    printf("%d\n", strncmp("a", "b", 0));
    return 0;
}
