// More arguments than registers: integers, floats, structures in registers, in memory, and by hidden pointer.
#include <stdio.h>

struct pair { long a, b; };
struct big { int v[10]; };
struct fd { float f; double d; };

static __attribute__((noinline)) struct big all(int a, long b, char c, struct pair p, short d, struct pair q, double e, struct big g, float f,
                                                 struct fd h, double i, double j, double k, double l, double m, double n, struct fd o, unsigned char z) {
    struct big r = {{a, (int)b, c, (int)(p.a + p.b), d, (int)(q.a * q.b), (int)(e + f + i + j + k), g.v[9], (int)(h.f * h.d + l + m + n), (int)(o.f + o.d) + z}};
    g.v[9] = -1;
    return r;
}

int main(void) {
    struct big g = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    struct big r = all(1, 2, 'c', (struct pair){3, 4}, 5, (struct pair){6, 7}, 8.5, g, 9.5f, (struct fd){2, 3}, 1, 2, 3, 4, 5, 6, (struct fd){7, 8}, 255);
    for (int i = 0; i < 10; i++)
        printf("%d ", r.v[i]);
    printf("%d\n", g.v[9]);
    return 0;
}
