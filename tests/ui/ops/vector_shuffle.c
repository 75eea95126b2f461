// Shuffles, concatenation and reductions over vectors of several shapes.
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
typedef unsigned char b16 __attribute__((vector_size(16)));

int main(void) {
    v4 a = {1, 2, 3, 4}, b = {5, 6, 7, 8};
    v4 rev = __builtin_shufflevector(a, a, 3, 2, 1, 0), mix = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    v8 cat = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    for (int i = 0; i < 4; i++)
        printf("%d %d\n", rev[i], mix[i]);
    for (int i = 0; i < 8; i++)
        printf("%d ", cat[i] * cat[7 - i]);
    printf("\n%d %d %d %d\n", __builtin_reduce_add(cat), __builtin_reduce_max(mix), __builtin_reduce_xor(a), __builtin_reduce_min(b));
    b16 text;
    for (int i = 0; i < 16; i++)
        text[i] = (unsigned char)('a' + i);
    b16 twist = __builtin_shufflevector(text, text, 15, 0, 14, 1, 13, 2, 12, 3, 11, 4, 10, 5, 9, 6, 8, 7);
    for (int i = 0; i < 16; i++)
        putchar(twist[i]);
    v4 m = __builtin_elementwise_max(a, rev), n = __builtin_elementwise_abs(a - rev);
    printf("\n%d %d %d %d\n", m[0], m[3], n[0], n[1]);
    return 0;
}
