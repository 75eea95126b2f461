// _BitInt wider than 128 bits.
// cflags: -std=c23
// configs: O0,O1,O2
#include <stdio.h>

typedef unsigned _BitInt(256) u256;

static void show(const char *what, u256 x) {
    printf("%s", what);
    for (int shift = 192; shift >= 0; shift -= 64)
        printf(" %016llx", (unsigned long long)(x >> shift));
    putchar('\n');
}

int main(void) {
    u256 a = ((u256)0x0123456789abcdef << 190) | 0xfeed, b = ((u256)3 << 130) - 1;
    show("add", a + b);
    show("sub", b - a);
    show("mul", a * b);
    show("and", a & b);
    show("xor", a ^ ~b);
    show("shl", a << 77);
    show("lshr", a >> 100);
    printf("%d %d %d\n", a < b, a == a, b > a);
    _BitInt(200) s = -((_BitInt(200))1 << 150);
    printf("%lld %d\n", (long long)(s >> 140), s < 0);
    return 0;
}
