// Jumps back into a function that has returned.
#include <setjmp.h>

static jmp_buf env;

static int set(void) {
    return setjmp(env);
}

int main(void) {
    if (set() == 0)
        longjmp(env, 1); //~ BUG(use-after-return)
    return 0;
}
