// An integer that came from a pointer leads back to it; sentinels are compared, never read.
#include <stdint.h>
#include <stdio.h>

#define DELETED ((int *)-1)

int main(void) {
    int x = 5, *slots[3] = {&x, DELETED, 0}, sum = 0;
    for (int i = 0; i < 3; i++)
        if (slots[i] && slots[i] != DELETED)
            sum += *slots[i];
    uintptr_t address = (uintptr_t)&x;
    printf("%d %d\n", sum, *(int *)address);
    return 0;
}
