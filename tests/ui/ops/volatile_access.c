// Volatile scalars, structure members and arrays; restrict and register are accepted.
#include <stdio.h>

struct dev { volatile unsigned status; volatile unsigned char fifo[4]; int plain; };

static void poll(struct dev *restrict d, int *restrict out) {
    for (register int i = 0; i < 4; i++) {
        d->status |= 1u << i;
        out[i] = d->fifo[i] + (int)d->status;
    }
}

int main(void) {
    struct dev d = {0, {1, 2, 3, 4}, 5};
    int out[4];
    volatile int x = 3;
    const volatile long long *p = &(const volatile long long){9};
    poll(&d, out);
    x += x * x;
    printf("%d %d %d %d %d %lld\n", out[0], out[1], out[2], out[3], x, *p);
    return 0;
}
