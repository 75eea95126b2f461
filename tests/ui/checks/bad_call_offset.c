// Calls into the middle of a function.
static int f(int x) { return x; }

int main(void) {
    int (*g)(int) = (int (*)(int))((char *)f + 1);
    return g(1); //~ BUG(bad-call)
}
