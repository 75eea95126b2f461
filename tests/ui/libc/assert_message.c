// A custom handler in place of assert: the usual macro of programs that must not abort.
// exit: 9
// stderr: compare
#include <stdio.h>
#include <stdlib.h>

#define CHECK(x) ((x) ? (void)0 : fail(#x, __func__))

static void fail(const char *what, const char *where) {
    fprintf(stderr, "%s: %s does not hold\n", where, what);
    exit(9);
}

int main(void) {
    CHECK(1 + 1 == 2);
    puts("first held");
    CHECK(2 + 2 == 5);
    return 0;
}
