// A loop without an end stops at the limit that the user set.
// options: --max-steps=100000
int main(void) {
    volatile int n = 0;
    for (;;) n = !n; //~ BUG(step-limit)
}
