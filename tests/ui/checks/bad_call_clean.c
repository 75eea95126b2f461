// A pointer cast away and back before the call, and calls that differ only in signedness or pointee.
#include <stdio.h>

static int length(const char *s) { return *s ? 1 + length(s + 1) : 0; }
static unsigned twice(unsigned x) { return x * 2; }

int main(void) {
    void (*erased)(void) = (void (*)(void))length;
    int (*f)(const char *) = (int (*)(const char *))erased;
    unsigned (*g)(unsigned) = twice;
    printf("%d %u\n", f("four"), g(4));
    return 0;
}
