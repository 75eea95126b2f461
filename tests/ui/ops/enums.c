// Enumerations: automatic values, negative ones, unsigned and 64-bit underlying types, as array bounds and switch cases.
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, LAST = BLUE + 10 };
enum sign { NEG = -1, ZERO, POS };
enum big { HUGE_VALUE = 0x123456789abLL, SMALL = 1 };
enum { COUNT = 4 };

static const char *name(enum colour c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    default: return "?";
    }
}

int main(void) {
    int v[COUNT] = {[COUNT - 1] = LAST};
    enum sign s = (3 < 5) - (3 > 5);
    printf("%d %s %s %d %d\n", BLUE, name(GREEN), name((enum colour)9), v[3], s);
    printf("%llx %zu %zu %d\n", (long long)HUGE_VALUE, sizeof(enum big), sizeof(enum sign), NEG < ZERO);
    for (enum colour c = RED; c <= BLUE; c++)
        printf("%s ", name(c));
    puts("");
    return 0;
}
