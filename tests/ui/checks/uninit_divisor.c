// Divides by a value that was never set.
int main(void) {
    int d;
    return 100 / d; //~ BUG(uninitialised)
}
