// The remainder overflows just as the quotient does.
#include <limits.h>

int main(void) {
    long a = LONG_MIN, b = -1;
    return (int)(a % b); //~ BUG(div-overflow)
}
