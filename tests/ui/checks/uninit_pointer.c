// Dereferences a pointer that was never set.
int main(void) {
    int *p;
    return *p; //~ BUG(uninitialised)
}
