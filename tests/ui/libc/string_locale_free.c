// strverscmp, basename and dirname, fnmatch, and other small helpers of the GNU and POSIX libraries.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[] = "/usr/lib/x.so", b[] = "/usr/lib/", c[] = "plain", d[] = "/";
    printf("%s %s %s\n", dirname(a), dirname(b), dirname(c));
    char e[] = "/usr/lib/x.so";
    printf("%s %s\n", __xpg_basename(e), __xpg_basename(d));
    printf("%d %d %d\n", strverscmp("file9", "file10") < 0, strverscmp("a", "a"), strverscmp("1.2", "1.10") < 0);
    printf("%d %d %d %d\n", fnmatch("*.c", "x.c", 0), fnmatch("*.c", "x.h", 0), fnmatch("[a-c]?z", "bqz", 0), fnmatch("*", ".hidden", FNM_PERIOD));
    return 0;
}
