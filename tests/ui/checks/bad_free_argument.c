// Frees an argument, which nobody allocated.
#include <stdlib.h>

int main(int argc, char **argv) {
    free(argv[argc - 1]); //~ BUG(bad-free)
    return 0;
}
