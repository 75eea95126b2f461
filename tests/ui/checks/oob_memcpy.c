// memcpy reads more than the source has.
#include <string.h>

int main(void) {
    char from[8] = "1234567", to[16];
    memcpy(to, from, sizeof to); //~ BUG(out-of-bounds)
    return to[0];
}
