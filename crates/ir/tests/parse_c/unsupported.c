// What the engine does not execute must still load: unwinding and assembly that jumps.
#include <stdlib.h>

void may_throw(int *);
static void release(int **p) { free(*p); }

int guarded(int n) {
    __attribute__((cleanup(release))) int *buffer = malloc(n * sizeof *buffer);
    may_throw(buffer);
    return buffer[n - 1];
}

int jump(int x) {
    __asm__ goto("testl %0, %0; jne %l1" : : "r"(x) : "cc" : taken);
    return 0;
taken:
    return 1;
}
