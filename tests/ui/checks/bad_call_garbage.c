// Calls an integer.
int main(void) {
    int (*f)(void) = (int (*)(void))0x1234567;
    return f(); //~ BUG(bad-call)
}
