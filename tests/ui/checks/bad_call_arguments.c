// Calls a function of two arguments with one.
static int add(int a, int b) { return a + b; }

int main(void) {
    int (*f)(int) = (int (*)(int))add;
    return f(1); //~ BUG(bad-call)
}
