// A global variable that nothing was stored to, in an array in a structure.
// check: effective-type
struct table {
    char name[8];
    int sizes[4];
} table = {"sizes", {1, 2, 3, 4}};

int main(void) {
    long *pair = (long *)&table.sizes[2];
    return *pair == 3; //~ BUG(effective-type)
}
