// Counts months from one.
#include <stdio.h>
#include <stdlib.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void) {
    int month = atoi("12");
    printf("%d\n", days[month - 1]);
    return 0;
}
