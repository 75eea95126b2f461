// Declarations in the old style: promoted arguments, implicit promotion of float and char.
// cflags: -std=gnu89
#include <stdio.h>

double scale(c, f, n)
    char c;
    float f;
    short n;
{
    return c * f + n;
}
int later();
static int plain(a, b) int a, *b; { return a + *b; }

int main() {
    int x = 5;
    printf("%g %d %d\n", scale((char)3, 1.5f, (short)-2), later(1, 2), plain(4, &x));
    return 0;
}
int later(a, b) int a; int b; { return a * 10 + b; }
