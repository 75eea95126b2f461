// Reads arguments past the null pointer that ends them.
int main(int argc, char **argv) {
    return argv[argc + 2000] != 0; //~ BUG(out-of-bounds)
}
