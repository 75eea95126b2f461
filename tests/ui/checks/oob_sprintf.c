// sprintf writes one digit too many.
#include <stdio.h>

int main(void) {
    char id[8];
    for (int i = 9; i < 1000000; i = i * 10 + 9)
        sprintf(id, "x%d.c", i); //~ BUG(out-of-bounds)
    return id[0];
}
