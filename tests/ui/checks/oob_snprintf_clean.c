// snprintf truncates and says how long the text would have been.
#include <stdio.h>

int main(void) {
    char id[8];
    int n = 0;
    for (int i = 9; i < 10000000; i = i * 10 + 9) {
        n += snprintf(id, sizeof id, "x%d.c", i);
        puts(id);
    }
    printf("%d\n", n);
    return 0;
}
