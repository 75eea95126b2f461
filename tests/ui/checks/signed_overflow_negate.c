// The negation of the most negative number.
// check: signed-overflow
#include <limits.h>

static int absolute(int x) {
    return x < 0 ? -x : x; //~ BUG(signed-overflow)
}

int main(void) {
    return absolute(-3) == 3 && absolute(INT_MIN) > 0;
}
