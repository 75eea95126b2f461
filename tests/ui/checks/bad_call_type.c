// Calls a function that takes a double as one that takes a pointer.
static double half(double x) { return x / 2; }

int main(void) {
    int x = 5;
    int *(*f)(int *) = (int *(*)(int *))half;
    return f(&x) == &x; //~ BUG(bad-call)
}
