// The status of main is the status of the program, modulo 256, and buffered output is written.
// exit: 44
#include <stdio.h>

int main(void) {
    printf("no newline at the end");
    return 300;
}
