// Large frames exhaust the stack after few calls.
static int deep(int n) { char frame[1 << 20]; frame[n % 100] = 1; return n == 0 ? 0 : deep(n - 1) + frame[n % 100]; } //~ BUG(stack-exhausted)

int main(void) {
    return deep(1000) == 0;
}
