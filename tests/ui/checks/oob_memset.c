// memset takes the size of the pointer's target wrongly.
#include <stdlib.h>
#include <string.h>

int main(void) {
    short *v = malloc(10 * sizeof *v); //~ NOTE(allocated here)
    memset(v, 0, 10 * sizeof(int)); //~ BUG(out-of-bounds)
    free(v);
    return 0;
}
