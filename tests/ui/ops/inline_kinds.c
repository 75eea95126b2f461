// inline, static inline, extern inline, always_inline, noinline, tail calls, cold paths, noreturn and unreachable hints.
#include <stdio.h>
#include <stdlib.h>

inline int header_style(int x) { return x + 1; }
extern inline int header_style(int x);
static inline __attribute__((always_inline)) int forced(int x) { return x * 3; }
__attribute__((noinline, cold)) static int refused(int x) { return x - 5; }
_Noreturn static void finish(int code) {
    printf("finish %d\n", code);
    exit(code);
}
static int hinted(int x) {
    if (x > 100)
        __builtin_unreachable();
    return x / 2;
}
static long count(long n, long acc) { return n == 0 ? acc : count(n - 1, acc + n); }

int main(void) {
    printf("%d %d %d %d %ld\n", header_style(1), forced(2), refused(3), hinted(50), count(5000, 0));
    finish(0);
}
