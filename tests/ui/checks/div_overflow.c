// The most negative number divided by minus one.
#include <limits.h>

int main(void) {
    int a = INT_MIN, b = -1;
    return a / b == 0; //~ BUG(div-overflow)
}
