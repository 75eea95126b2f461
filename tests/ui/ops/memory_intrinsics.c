// Copies and fills of every small size, overlapping moves, structure copies, __builtin variants.
#include <stdio.h>
#include <string.h>

struct blob { char c[300]; };

static unsigned hash(const void *p, size_t n) {
    unsigned h = 2166136261u;
    for (const unsigned char *b = p; n--; b++)
        h = (h ^ *b) * 16777619u;
    return h;
}

int main(void) {
    char a[64], b[64];
    for (size_t n = 0; n <= 40; n++) {
        for (int i = 0; i < 64; i++)
            a[i] = b[i] = (char)(i * 3);
        memset(a + 3, (int)n, n);
        memcpy(b + 20, a, n);
        memmove(a + 5, a + 2, n);
        memmove(b, b + 7, n);
        printf("%08x %08x %d\n", hash(a, 64), hash(b, 64), memcmp(a, b, n) < 0);
    }
    struct blob x, y;
    __builtin_memset(&x, 'z', sizeof x);
    x.c[150] = 0;
    y = x;
    struct blob *self = &y;
    y = *self;
    printf("%zu %08x %d\n", __builtin_strlen(y.c), hash(&y, sizeof y), __builtin_memcmp(&x, &y, sizeof x));
    return 0;
}
