// Switches that only choose a string: the optimiser makes them tables of offsets relative to the table.
#include <stdio.h>

static const char *day(int n) {
    switch (n) {
    case 0: return "monday";
    case 1: return "tuesday";
    case 2: return "wednesday";
    case 3: return "thursday";
    case 4: return "friday";
    default: return "weekend";
    }
}

int main(void) {
    static const char *const names[] = {"zero", "one", "two", "three"};
    for (int i = -1; i < 7; i++)
        printf("%s %s\n", day(i), names[i & 3]);
    return 0;
}
