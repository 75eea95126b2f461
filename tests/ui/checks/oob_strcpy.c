// strcpy into a buffer that is too small.
#include <string.h>

int main(int argc, char **argv) {
    char small[6];
    strcpy(small, argc > 0 ? "too long" : argv[0]); //~ BUG(out-of-bounds)
    return small[0];
}
