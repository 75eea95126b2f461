// A negative shift count.
int main(void) {
    long x = 100;
    int n = 3 - 5;
    return (int)(x >> n); //~ BUG(oversized-shift)
}
