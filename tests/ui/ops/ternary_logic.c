// Short circuits evaluate only what they must; ternaries nest and mix types.
#include <stdio.h>

static int calls;
static int say(int x) {
    calls++;
    printf("<%d>", x);
    return x;
}

int main(void) {
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            printf(" and %d", say(a) && say(b));
            printf(" or %d", say(a) || say(b));
            printf(" mix %d", (say(a) && say(b)) || say(!a));
            printf(" pick %d\n", say(a) ? say(b) ? 11 : 10 : say(b) ? 1 : 0);
        }
    int x = 5;
    printf("%d %g %d %d\n", calls, x > 3 ? 1 : 2.5, x ?: 9, 0 ?: x);
    const char *p = x > 9 ? "big" : x > 4 ? "middle" : "small";
    int twice = (x++, x * 2);
    int both = x > 5 && (x -= 3) > 2;
    printf("%s %d %d %d %d %d\n", p, twice, both, x, !!17, !0.0);
    return 0;
}
