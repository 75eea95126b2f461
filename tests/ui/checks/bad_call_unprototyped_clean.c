// Functions from before prototypes, which callers give more than they take.
// cflags: -std=gnu89 -w
#include <stdio.h>

long three() { return 3; }
long same(a) int a; { return a; }
long (*chosen)();

int main() {
    printf("%ld\n", three(1, 2));
    chosen = three;
    printf("%ld %ld\n", chosen(), chosen("text", 2));
    chosen = same;
    printf("%ld %ld\n", chosen(7), chosen(8, 9, 10));
    return 0;
}
