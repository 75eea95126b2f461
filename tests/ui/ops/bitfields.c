// Bit-fields of all sizes: packing, sign, wrap-around, neighbours left alone.
#include <stdio.h>
#include <string.h>

struct flags {
    unsigned a : 1, b : 2, c : 3, d : 7;
    int e : 5;
    unsigned long long f : 40;
    signed char g : 3;
    _Bool h : 1;
    unsigned : 0;
    unsigned short i : 11;
    unsigned j : 32;
};

struct __attribute__((packed)) tight {
    unsigned a : 3, b : 12, c : 17, d : 9;
    long long e : 61;
};

static void show(const struct flags *p) {
    printf("%u %u %u %u %d %llu %d %d %u %u\n", p->a, p->b, p->c, p->d, p->e, (unsigned long long)p->f, p->g, p->h, p->i, p->j);
}

int main(void) {
    struct flags x;
    memset(&x, 0, sizeof x);
    show(&x);
    x.a = 1;
    x.b = 3;
    x.c = 5;
    x.d = 100;
    x.e = -7;
    x.f = 0xabcdef0123;
    x.g = -4;
    x.h = 1;
    x.i = 2047;
    x.j = 0xdeadbeef;
    show(&x);
    x.b++;
    x.c += 6;
    x.d *= 3;
    x.f += 0xffffffffff;
    x.i = (unsigned short)(x.i + 2);
    show(&x);
    struct tight t = {5, 4000, 100000, 300, -1000000000000};
    printf("%u %u %u %u %lld %zu\n", t.a, t.b, t.c, t.d, (long long)t.e, sizeof t);
    t.c = 131071;
    t.e >>= 3;
    printf("%u %u %u %u %lld\n", t.a, t.b, t.c, t.d, (long long)t.e);
    printf("%d %d\n", (x.d = 200), (x.e = 15));
    return 0;
}
