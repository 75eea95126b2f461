// memcpy of exactly the object, and of nothing past its end.
#include <stdio.h>
#include <string.h>

int main(void) {
    char from[8] = "1234567", to[16];
    memcpy(to, from, sizeof from);
    memcpy(to + 16, from + 8, 0);
    puts(to);
    return 0;
}
