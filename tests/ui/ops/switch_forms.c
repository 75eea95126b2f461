// Dense, sparse, ranged, 64-bit, negative, fall-through and default-in-the-middle switches.
#include <stdio.h>

static int dense(int x) {
    switch (x) {
    case 0: return 10;
    case 1: return 21;
    case 2: return 32;
    case 3: return 43;
    case 4: return 54;
    case 5: return 65;
    default: return -1;
    }
}
static int sparse(int x) {
    switch (x) {
    case -1000000: return 1;
    case 7: return 2;
    case 100000: return 3;
    case 2147483647: return 4;
    }
    return 0;
}
static const char *ranged(unsigned char c) {
    switch (c) {
    case '0' ... '9': return "digit";
    case 'a' ... 'z':
    case 'A' ... 'Z': return "letter";
    case 128 ... 255: return "high";
    default: return "other";
    }
}
static int wide(unsigned long long x) {
    switch (x) {
    case 0x100000000: return 1;
    case 0xffffffffffffffff: return 2;
    case 0: return 3;
    default: return 4;
    }
}
static int fall(int x) {
    int r = 0;
    switch (x) {
    case 1: r += 1;
    default: r += 100;
    case 2: r += 10; break;
    case 3: r = 3;
    }
    return r;
}
static char narrow(signed char c) {
    switch (c) {
    case -128: return 'a';
    case 127: return 'b';
    case -1: return 'c';
    }
    return 'd';
}

int main(void) {
    for (int i = -2; i < 8; i++)
        printf("%d %d\n", dense(i), fall(i));
    printf("%d %d %d %d %d\n", sparse(-1000000), sparse(7), sparse(100000), sparse(2147483647), sparse(8));
    printf("%s %s %s %s %s\n", ranged('5'), ranged('q'), ranged('Q'), ranged(200), ranged(' '));
    printf("%d %d %d %d\n", wide(1ull << 32), wide(~0ull), wide(0), wide(1));
    printf("%c%c%c%c\n", narrow(-128), narrow(127), narrow(-1), narrow(0));
    return 0;
}
