// Tentative definitions in one file, and extern declarations with and without a definition later.
#include <stdio.h>

int x;
int x;
int x = 4;
static int y;
static int y;
extern int z;
extern int unused_and_undefined;
int array[];
int array[3];

int main(void) {
    printf("%d %d %d %d\n", x, y, z, array[2]);
    return 0;
}
int z = 6;
