// An index so negative that the address lies megabytes before the object.
int table[10];

int main(void) {
    long i = -8000000;
    table[i] = 1; //~ BUG(out-of-bounds)
    return 0;
}
