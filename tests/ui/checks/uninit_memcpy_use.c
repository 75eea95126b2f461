// A copy of bytes that were never written is not initialised either.
#include <string.h>

int main(void) {
    int from[2], to[2];
    from[0] = 1;
    memcpy(to, from, sizeof to);
    if (to[0] != 1)
        return 3;
    if (to[1] == 7) //~ BUG(uninitialised)
        return 2;
    return 0;
}
