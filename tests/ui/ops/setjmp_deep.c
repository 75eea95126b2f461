// longjmp out of deep calls, in loops, nested buffers, value zero turned into one, volatile locals kept.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf top, inner;

static int dive(int n, int code) {
    volatile char frame[50];
    frame[n % 50] = (char)n;
    if (n == 0)
        longjmp(top, code);
    return dive(n - 1, code) + frame[n % 50];
}

static void nested(void) {
    if (setjmp(inner) == 0) {
        puts("inner set");
        longjmp(inner, 3);
    }
    puts("inner back");
    longjmp(top, 50);
}

int main(void) {
    volatile int tries = 0;
    int r = setjmp(top);
    printf("r %d tries %d\n", r, tries);
    tries++;
    if (tries < 4)
        dive(20 * tries, tries - 1);
    if (tries == 4)
        nested();
    for (volatile int i = 0; i < 3; i++) {
        switch (setjmp(inner)) {
        case 0: longjmp(inner, i + 1);
        case 1: puts("one"); break;
        case 2: puts("two"); break;
        default: puts("many");
        }
    }
    return 0;
}
