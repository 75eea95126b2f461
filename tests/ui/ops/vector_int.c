// Integer vectors: arithmetic, comparison masks, indexing, conversion.
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));
typedef short v8 __attribute__((vector_size(16)));
typedef long long v2 __attribute__((vector_size(16)));

static void show(v4 v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }

int main(void) {
    volatile int seed = 5;
    v4 a = {seed, -2, 3, 1 << 20}, b = {7, 2, -3, 4};
    show(a + b);
    show(a - b);
    show(a * b);
    show(a / b);
    show(a % b);
    show(a & b);
    show(a ^ ~b);
    show(a << (v4){1, 2, 3, 4});
    show(a >> 1);
    show(-a);
    show(a < b);
    show(a == b);
    show((a > b) & a | ~(a > b) & b);
    a[2] = 99;
    a[seed - 4] += 10;
    show(a);
    v16 bytes;
    for (int i = 0; i < 16; i++)
        bytes[i] = (unsigned char)(i * 20);
    bytes += 100;
    for (int i = 0; i < 16; i++)
        printf("%d ", bytes[i]);
    v8 halves = (v8)bytes;
    v2 longs = (v2)a;
    printf("\n%d %d %lld %lld\n", halves[0], halves[7], longs[0], longs[1]);
    v8 narrow = {1, -2, 3, -4, 5, -6, 7, -8};
    __attribute__((vector_size(32))) int wide = __builtin_convertvector(narrow, __attribute__((vector_size(32))) int);
    printf("%d %d %d\n", wide[1], wide[6], wide[7]);
    return 0;
}
