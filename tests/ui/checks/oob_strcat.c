// strcat forgets the terminator.
#include <string.h>

int main(void) {
    char buf[8] = "1234";
    strcat(buf, "5678"); //~ BUG(out-of-bounds)
    return buf[0];
}
