// sscanf of text: %s, %c, scan sets, widths, literal matching, %n and %%.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char a[20] = "", b[20] = "", c[4] = "";
    int n = -1, r;
    r = sscanf("  hello   world  ", "%s %s%n", a, b, &n);
    printf("%d %s %s %d\n", r, a, b, n);
    r = sscanf("abcdef", "%3c%2s", c, a);
    printf("%d %.3s %s\n", r, c, a);
    r = sscanf("key=value;rest", "%[^=]=%[^;]", a, b);
    printf("%d %s %s\n", r, a, b);
    r = sscanf("123abc]x", "%[0-9]%[]a-c]", a, b);
    printf("%d %s %s\n", r, a, b);
    r = sscanf("100% sure", "%d%% %s", &n, a);
    printf("%d %d %s\n", r, n, a);
    r = sscanf("x y", "%c %c", &a[0], &a[1]);
    printf("%d %c%c\n", r, a[0], a[1]);
    r = sscanf("(1,2)", "(%d,%*d)", &n);
    printf("%d %d\n", r, n);
    r = sscanf("longword", "%4s", a);
    printf("%d %s\n", r, a);
    r = sscanf("a-b", "%1[a]-%1[xyz]", a, b);
    printf("%d %s\n", r, a);
    char *dynamic = NULL;
    r = sscanf("allocated here", "%ms", &dynamic);
    printf("%d %s\n", r, dynamic);
    free(dynamic);
    return 0;
}
