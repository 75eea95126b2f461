// Numbered arguments, with numbered widths and precisions.
#include <stdio.h>

int main(void) {
    printf("%2$d %1$d %2$x\n", 1, 255);
    printf("%1$s %2$*3$d|%2$-*3$d|%1$.2s\n", "text", 5, 8);
    printf("%3$g %1$c %2$ld\n", 'c', 9L, 1.5);
    return 0;
}
