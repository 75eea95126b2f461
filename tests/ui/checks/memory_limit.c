// Allocates without an end and uses all of it.
// options: --max-memory=64MiB
#include <stdlib.h>
#include <string.h>

int main(void) {
    for (;;) {
        char *p = malloc(16 << 20); //~ BUG(memory-limit)
        if (p)
            memset(p, 1, 16 << 20);
    }
}
