// Tentative definitions merged across files under -fcommon, the largest and the initialised one winning.
// cflags: -fcommon
// files: parts/common_a.c
#include <stdio.h>

int counter;
int initialised_there;
int array[2];
int bump(void);

int main(void) {
    counter = 5;
    array[1] = 11;
    bump();
    printf("%d %d %d %d\n", counter, initialised_there, array[0], array[1]);
    return 0;
}
