// A branch depends on a local that only one path sets.
int main(int argc, char **argv) {
    int found;
    if (argc > 100)
        found = argv[1][0] == 'x';
    if (found) //~ BUG(uninitialised)
        return 2;
    return 0;
}
