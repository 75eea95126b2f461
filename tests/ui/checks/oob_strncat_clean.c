// strncat and strncpy with the room that is left.
#include <stdio.h>
#include <string.h>

int main(void) {
    char buf[8] = "1234", other[4];
    strncat(buf, "56789", sizeof buf - strlen(buf) - 1);
    strncpy(other, buf, sizeof other);
    printf("%s %.4s\n", buf, other);
    return 0;
}
