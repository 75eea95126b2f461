// Every path that reads the local has set it.
#include <stdio.h>

int main(int argc, char **argv) {
    int found, n;
    if (argc > 100) {
        found = argv[1][0] == 'x';
        n = 1;
    } else {
        n = 0;
    }
    if (n && found)
        return 2;
    puts("not found");
    return 0;
}
