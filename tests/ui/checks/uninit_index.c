// An array is indexed by a value that was never set.
static int table[100];

int main(void) {
    int i;
    return table[i]; //~ BUG(uninitialised)
}
