// One allocation on the stack that is larger than the stack.
#include <alloca.h>

int main(void) {
    volatile unsigned long n = 1ul << 30;
    char *p = alloca(n); //~ BUG(stack-exhausted)
    p[0] = 1;
    return 0;
}
