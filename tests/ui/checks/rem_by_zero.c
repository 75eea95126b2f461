// A remainder with a zero divisor, unsigned and of 64 bits.
int main(int argc, char **argv) {
    unsigned long buckets = argc > 100 ? 7 : 0;
    return (int)(((unsigned long)argv[0][0] + 5) % buckets); //~ BUG(div-by-zero)
}
