// Loops that take long, or wait for something outside of the program.
// options: --max-steps=2000000
#include <signal.h>
#include <stdio.h>
static volatile sig_atomic_t is_set;
static int wait_for(int n) {
    int n_waited = 0;
    while (!is_set && n_waited < n)
        n_waited++;
    return n_waited;
}
int main(void) {
    // Every state but the counter's comes again and again.
    unsigned char a = 0, b = 0;
    for (int i = 0; i < 100000; i++)
        a ^= (unsigned char)(i & 1), b = a;
    printf("%d %d\n", b, wait_for(1000));
    return 0;
}
