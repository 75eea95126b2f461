// A stream is used after it was closed.
#include <stdio.h>

int main(void) {
    FILE *f = fopen("out.txt", "w");
    fputs("text", f);
    fclose(f); //~ NOTE(freed here)
    fputs("more", f); //~ BUG(use-after-free)
    return 0;
}
