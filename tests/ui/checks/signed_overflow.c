// A sum that wraps, found when asked for.
// check: signed-overflow
#include <limits.h>

int main(void) {
    int n = INT_MAX - 2;
    for (int i = 0; i < 5; i++)
        n++; //~ BUG(signed-overflow)
    return n == 0;
}
