// Bits that were never set are masked away before anything depends on them.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned char *p = malloc(4);
    p[0] = 0x12;
    unsigned word = 0;
    for (int i = 0; i < 4; i++)
        word |= (unsigned)p[i] << (8 * i);
    if ((word & 0xff) == 0x12)
        puts("low byte");
    printf("%u\n", p[0] & word);
    free(p);
    return 0;
}
