// Structures mixing integers and floats, by value and returned, through pointers too.
#include <stdio.h>

struct if_ { int i; float f; };
struct fi { float f; int i; };
struct di { double d; int i; };
struct id { long i; double d; };
struct ff { float a, b; };
struct fff { float a, b, c; };
struct ffff { float a, b, c, d; };
struct dd { double a, b; };
struct ddd { double a, b, c; };
struct cs { char c; short s; float f; };
struct pd { const char *p; double d; };
struct ld { long double x; };
struct nest { struct ff xy; struct { char tag; int n; } in; };
union u { int i; float f; double d; char c[12]; };

#define N __attribute__((noinline)) static
N struct if_ if_(struct if_ x) { return (struct if_){x.i * 2, x.f / 2}; }
N struct fi fi(struct fi x) { return (struct fi){x.f + 1, x.i + 1}; }
N struct di di(struct di x, struct di y) { return (struct di){x.d * y.d, x.i - y.i}; }
N struct id id(struct id x) { return (struct id){-x.i, -x.d}; }
N struct ff ff(struct ff x) { return (struct ff){x.b, x.a}; }
N struct fff fff(struct fff x) { return (struct fff){x.c, x.a, x.b}; }
N struct ffff ffff(struct ffff x) { return (struct ffff){x.d, x.c, x.b, x.a}; }
N struct dd dd(struct dd x) { return (struct dd){x.b, x.a}; }
N struct ddd ddd(struct ddd x, int k) { return (struct ddd){x.a * k, x.b * k, x.c * k}; }
N struct cs cs(struct cs x) { return (struct cs){(char)(x.c + 1), (short)(x.s - 1), -x.f}; }
N struct pd pd(struct pd x) { return (struct pd){x.p + 2, x.d * 10}; }
N struct ld ld(struct ld x) { return (struct ld){x.x * 3}; }
N struct nest nest(struct nest x) { return (struct nest){{x.xy.b, x.xy.a}, {(char)(x.in.tag + 1), x.in.n + 1}}; }
N union u un(union u x) { x.c[0] ^= 1; return x; }

int main(void) {
    struct if_ a = if_((struct if_){21, 5.0f});
    struct fi b = fi((struct fi){1.5f, 41});
    struct di c = di((struct di){1.5, 10}, (struct di){4.0, 3});
    struct id d = id((struct id){7, 2.5});
    struct ff e = ff((struct ff){1, 2});
    struct fff f = fff((struct fff){1, 2, 3});
    struct ffff g = ffff((struct ffff){1, 2, 3, 4});
    struct dd h = dd((struct dd){1, 2});
    struct ddd i = ddd((struct ddd){1, 2, 3}, 5);
    struct cs j = cs((struct cs){'a', 100, 0.5f});
    struct pd k = pd((struct pd){"abcdef", 1.25});
    struct ld l = ld((struct ld){1.5L});
    struct nest m = nest((struct nest){{1, 2}, {'x', 9}});
    union u v = un((union u){.i = 1000});
    printf("%d %g %g %d %g %d %ld %g\n", a.i, a.f, b.f, b.i, c.d, c.i, d.i, d.d);
    printf("%g %g %g %g %g %g %g %g %g\n", e.a, e.b, f.a, f.b, f.c, g.a, g.b, g.c, g.d);
    printf("%g %g %g %g %g %c %d %g\n", h.a, h.b, i.a, i.b, i.c, j.c, j.s, j.f);
    printf("%s %g %Lg %g %g %c %d %d\n", k.p, k.d, l.x, m.xy.a, m.xy.b, m.in.tag, m.in.n, v.i);
    struct di (*fp)(struct di, struct di) = di;
    c = fp(c, c);
    printf("%g %d\n", c.d, c.i);
    return 0;
}
