// Packed, aligned and over-aligned structures: sizes, offsets, unaligned access through them.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct plain { char a; int b; char c; double d; short e; };
struct __attribute__((packed)) packed { char a; int b; char c; double d; short e; };
struct __attribute__((aligned(32))) wide { int a; };
struct mixed { char a; alignas(16) char b; struct packed p; };
#pragma pack(push, 2)
struct two { char a; int b; long long c; };
#pragma pack(pop)

int main(void) {
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct plain), sizeof(struct packed), sizeof(struct wide), sizeof(struct mixed), sizeof(struct two));
    printf("%zu %zu %zu %zu\n", offsetof(struct plain, d), offsetof(struct packed, d), offsetof(struct mixed, p), offsetof(struct two, c));
    printf("%zu %zu %zu\n", alignof(struct plain), alignof(struct packed), alignof(struct wide));
    struct packed v[3];
    for (int i = 0; i < 3; i++)
        v[i] = (struct packed){(char)i, i * 1000000, 'c', i / 3.0, (short)-i};
    v[1].d += v[2].d;
    v[2].b = v[1].b + v[0].b;
    for (int i = 0; i < 3; i++)
        printf("%d %d %c %g %d\n", v[i].a, v[i].b, v[i].c, v[i].d, v[i].e);
    struct wide w[2];
    alignas(64) char buffer[3];
    printf("%d %d\n", (int)((uintptr_t)&w[1] % 32), (int)((uintptr_t)buffer % 64));
    return 0;
}
