// Type punning through unions and memcpy, a register file seen in parts, unions in structs, active members changing.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union number { float f; uint32_t u; int32_t i; uint8_t b[4]; uint16_t h[2]; };
union reg { uint64_t rx; uint32_t ex; uint16_t x; struct { uint8_t l, h; }; };
struct value { enum { INT, REAL, TEXT } tag; union { long i; double d; char s[8]; }; };

static void show(const struct value *v) {
    switch (v->tag) {
    case INT: printf("int %ld\n", v->i); break;
    case REAL: printf("real %g\n", v->d); break;
    case TEXT: printf("text %s\n", v->s); break;
    }
}

int main(void) {
    union number n = {.f = -1.5f};
    printf("%08x %d %02x %04x\n", n.u, n.i < 0, n.b[3], n.h[1]);
    n.b[0] = 0xcd;
    n.h[1] ^= 0x8000;
    printf("%a\n", n.f);
    union reg r = {.rx = 0x1122334455667788};
    r.h = 0xaa;
    r.x += 0x100;
    printf("%llx %x %x %x\n", (unsigned long long)r.rx, r.ex, r.l, r.h);
    struct value v[3] = {{INT, .i = 42}, {REAL, .d = 2.5}, {TEXT, .s = "seven"}};
    for (int i = 0; i < 3; i++)
        show(&v[i]);
    v[0] = v[2];
    v[0].s[0] = 'S';
    show(&v[0]);
    double d = 1.0;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    bits += 1;
    memcpy(&d, &bits, sizeof d);
    printf("%a\n", d);
    return 0;
}
