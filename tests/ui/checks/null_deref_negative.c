// A small integer used as a pointer: near null, but no null pointer plus a member offset.
#include <string.h>

int main(void) {
    long error = -22;
    char *p = (char *)error;
    memset(p, 0, 4); //~ BUG(wild-pointer)
    return 0;
}
