// A global keeps the address of a local of a function that has returned.
static int *kept;

static void keep(void) {
    int local = 5;
    kept = &local;
    *kept = 6;
}

static void other(void) {
    int x[4] = {1, 2, 3, 4};
    *kept = x[2]; //~ BUG(use-after-return)
}

int main(void) {
    keep();
    other();
    return 0;
}
