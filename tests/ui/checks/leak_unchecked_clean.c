// Without the check a leak is no report.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *volatile p = malloc(10);
    p = NULL;
    puts(p ? "kept" : "lost");
    return 0;
}
