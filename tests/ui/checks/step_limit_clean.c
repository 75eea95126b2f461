// A loop that ends within the limit.
// options: --max-steps=10000000
#include <stdio.h>

int main(void) {
    unsigned long n = 0;
    for (int i = 0; i < 1000; i++)
        n += (unsigned long)i * i;
    printf("%lu\n", n);
    return 0;
}
