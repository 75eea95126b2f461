// An index so large that the address lies far behind every object.
int table[10], other[10];

int main(void) {
    long i = 500000000;
    return table[i] + other[0]; //~ BUG(out-of-bounds)
}
