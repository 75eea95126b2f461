// A trap instruction counts as giving up.
int main(int argc, char **argv) {
    (void)argv;
    if (argc < 100)
        __builtin_trap(); //~ BUG(abort)
    return 0;
}
