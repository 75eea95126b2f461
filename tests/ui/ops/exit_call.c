// exit from a deep call, after atexit handlers; _Exit runs none of them.
// exit: 7
#include <stdio.h>
#include <stdlib.h>

static void bye(void) {
    puts("bye");
    fflush(stdout);
    _Exit(7);
}
static void never(void) { puts("never: _Exit ends the program"); }
static void deep(int n) {
    if (n == 0)
        exit(3);
    deep(n - 1);
}

int main(void) {
    atexit(never);
    atexit(bye);
    deep(10);
    return 0;
}
