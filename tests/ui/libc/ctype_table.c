// Every classification and both conversions over all byte values and EOF.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (int c = -1; c < 256; c++)
        printf("%d:%d%d%d%d%d%d%d%d%d%d%d%d %d %d\n", c, !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c), !!isgraph(c), !!islower(c),
               !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c), tolower(c), toupper(c));
    printf("%d %d\n", isascii(200) != 0, toascii(200));
    return 0;
}
