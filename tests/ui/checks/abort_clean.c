// An early exit is no abort.
// exit: 3
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    fputs("leaving\n", stderr);
    exit(3);
}
