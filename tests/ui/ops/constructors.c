// Constructors and destructors run around main, ordered by priority; atexit handlers in reverse.
#include <stdio.h>
#include <stdlib.h>

static int order;
__attribute__((constructor(102))) static void second(void) { printf("second %d\n", order++); }
__attribute__((constructor(101))) static void first(void) { printf("first %d\n", order++); }
__attribute__((constructor)) static void third(void) { printf("third %d\n", order++); }
__attribute__((destructor(101))) static void very_last(void) { printf("very last %d\n", order++); }
__attribute__((destructor)) static void last(void) { printf("last %d\n", order++); }
static void on_exit_a(void) { printf("a %d\n", order++); }
static void on_exit_b(void) { printf("b %d\n", order++); }

int main(void) {
    atexit(on_exit_a);
    atexit(on_exit_b);
    printf("main %d\n", order++);
    return 0;
}
