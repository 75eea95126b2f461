// Frees an array on the stack.
#include <stdlib.h>

int main(void) {
    char local[8] = "abc", *p = local;
    free(p); //~ BUG(bad-free)
    return 0;
}
