// An index so negative that the address wraps around.
int table[10];

int main(void) {
    long i = -4000000000000;
    table[i] = 1; //~ BUG(out-of-bounds)
    return 0;
}
