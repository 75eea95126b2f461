// Recursion without an end.
static int down(int n) { return n + down(n + 1); } //~ BUG(stack-exhausted)

int main(void) {
    return down(0);
}
