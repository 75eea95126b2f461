// rand, rand_r, random, drand48 and their seeds: the sequences are those of the GNU library.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    srand(42);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand() % 1000);
    srandom(7);
    printf("%ld %ld\n", random(), random());
    unsigned state = 9;
    printf("%d ", rand_r(&state));
    printf("%d %d\n", rand_r(&state), RAND_MAX);
    srand48(5);
    printf("%.10f ", drand48());
    printf("%ld ", lrand48());
    printf("%ld\n", mrand48());
    return 0;
}
