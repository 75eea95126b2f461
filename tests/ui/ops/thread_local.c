// Thread-local variables: initialised, zero, static in a function, address taken.
#include <stdio.h>

static _Thread_local int plain = 5;
__thread long zero;
_Thread_local struct { int a; char b[4]; } record = {1, "abc"};

static int tick(void) {
    static _Thread_local int n = 100;
    return ++n;
}

int main(void) {
    int *p = &plain;
    *p += 3;
    zero -= plain;
    record.b[1] = 'X';
    tick();
    printf("%d %ld %d %s %d\n", plain, zero, record.a, record.b, tick());
    return 0;
}
