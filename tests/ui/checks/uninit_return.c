// The exit status itself was never set.
int main(int argc, char **argv) {
    int status;
    if (argc > 100)
        status = argv[1][0];
    return status; //~ BUG(uninitialised)
}
