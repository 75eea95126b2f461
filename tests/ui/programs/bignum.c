// Big integers in base 10^9: factorials, Fibonacci numbers, powers, division by small numbers, digit sums.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 1000000000 };
struct big { int n; uint32_t *limb; };

static struct big from(uint32_t x) {
    struct big b = {1, malloc(sizeof *b.limb)};
    b.limb[0] = x;
    return b;
}

static void push(struct big *b, uint32_t limb) {
    b->limb = realloc(b->limb, (size_t)(b->n + 1) * sizeof *b->limb);
    b->limb[b->n++] = limb;
}

static void mul_small(struct big *b, uint32_t x) {
    uint64_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * x;
        b->limb[i] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
    while (carry) {
        push(b, (uint32_t)(carry % BASE));
        carry /= BASE;
    }
}

static uint32_t div_small(struct big *b, uint32_t x) {
    uint64_t rest = 0;
    for (int i = b->n - 1; i >= 0; i--) {
        rest = rest * BASE + b->limb[i];
        b->limb[i] = (uint32_t)(rest / x);
        rest %= x;
    }
    while (b->n > 1 && b->limb[b->n - 1] == 0)
        b->n--;
    return (uint32_t)rest;
}

static void add(struct big *a, const struct big *b) {
    uint32_t carry = 0;
    for (int i = 0; i < b->n || carry; i++) {
        if (i == a->n)
            push(a, 0);
        uint32_t sum = a->limb[i] + carry + (i < b->n ? b->limb[i] : 0);
        carry = sum >= BASE;
        a->limb[i] = carry ? sum - BASE : sum;
    }
}

static struct big mul(const struct big *a, const struct big *b) {
    struct big r = {a->n + b->n, calloc((size_t)(a->n + b->n), sizeof *r.limb)};
    for (int i = 0; i < a->n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->n || carry; j++) {
            carry += r.limb[i + j] + (j < b->n ? (uint64_t)a->limb[i] * b->limb[j] : 0);
            r.limb[i + j] = (uint32_t)(carry % BASE);
            carry /= BASE;
        }
    }
    while (r.n > 1 && r.limb[r.n - 1] == 0)
        r.n--;
    return r;
}

static char *text(const struct big *b) {
    char *s = malloc((size_t)b->n * 9 + 1), *at = s + sprintf(s, "%u", b->limb[b->n - 1]);
    for (int i = b->n - 2; i >= 0; i--)
        at += sprintf(at, "%09u", b->limb[i]);
    return s;
}

static void show(const char *what, const struct big *b) {
    char *s = text(b);
    int digits = 0;
    for (const char *p = s; *p; p++)
        digits += *p - '0';
    printf("%s %s (%zu digits, sum %d)\n", what, s, strlen(s), digits);
    free(s);
}

int main(void) {
    struct big f = from(1), a = from(0), b = from(1);
    for (uint32_t i = 2; i <= 100; i++)
        mul_small(&f, i);
    show("100!", &f);
    for (uint32_t i = 100; i > 20; i--)
        if (div_small(&f, i))
            puts("not divisible");
    show("20!", &f);
    for (int i = 0; i < 300; i++) {
        struct big next = from(0);
        add(&next, &a);
        add(&next, &b);
        free(a.limb);
        a = b;
        b = next;
    }
    show("fib 300", &a);
    struct big p = from(3), sq;
    for (int i = 0; i < 8; i++) {
        sq = mul(&p, &p);
        free(p.limb);
        p = sq;
    }
    show("3^256", &p);
    printf("%u\n", div_small(&p, 1000003));
    free(a.limb);
    free(b.limb);
    free(p.limb);
    free(f.limb);
    return 0;
}
