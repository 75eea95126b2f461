// Calls through a function pointer that was never set.
int main(void) {
    int (*f)(void);
    return f(); //~ BUG(uninitialised)
}
