// In narrower types the division happens in int; the neighbours of the extreme are fine.
#include <limits.h>
#include <stdio.h>

int main(void) {
    signed char c = SCHAR_MIN, m = -1;
    int a = INT_MIN + 1, b = -1, one = 1;
    printf("%d %d %d %d\n", c / m, a / b, INT_MIN / one, a % b);
    return 0;
}
