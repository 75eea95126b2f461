// The loop ends in time; the one-past-the-end address is only formed.
#include <stdio.h>

int main(void) {
    int v[8], sum = 0;
    for (int i = 0; i < 8; i++)
        v[i] = i;
    for (const int *p = v, *end = v + 8; p < end; p++)
        sum += *p;
    printf("%d\n", sum);
    return 0;
}
