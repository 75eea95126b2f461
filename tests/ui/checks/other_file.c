// The faulty line lies in a second source.
// files: parts/faulty.c
#include <stdlib.h>

int last_of(const int *v, int n);

int main(void) {
    int *v = calloc(3, sizeof *v); //~ NOTE(allocated here)
    return last_of(v, 3); //~ NOTE(main)
}
