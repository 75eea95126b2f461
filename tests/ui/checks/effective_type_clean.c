// What C allows, with the check on: signs, characters, unions, copies, allocators, common members, the first member.
// check: effective-type
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Signs, qualifiers, enumerations.
enum colour { RED = 1, GREEN };

static unsigned signs(void) {
    int i = -1;
    const volatile unsigned *u = (unsigned *)&i;
    enum colour c = GREEN;
    unsigned *e = (unsigned *)&c;
    long l = 5;
    return *u + *e + (unsigned)*(unsigned long *)&l;
}

// Characters look at everything.
static unsigned bytes(void) {
    double d = 1;
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof d; i++)
        sum += ((unsigned char *)&d)[i];
    char raw[sizeof d];
    for (size_t i = 0; i < sizeof d; i++)
        raw[i] = ((char *)&d)[i];
    double copy;
    memcpy(&copy, raw, sizeof copy);
    return sum + (unsigned)copy;
}

// A union, in place and through a pointer to it.
union number {
    float f;
    uint32_t bits;
    struct {
        uint16_t low, high;
    } halves;
};

static unsigned through_union(float f) {
    union number n = {.f = f};
    union number *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->f = f;
    unsigned result = n.bits / 3 + p->halves.high;
    n.bits = 0x40000000;
    result += (unsigned)n.f;
    free(p);
    return result;
}

// A pun by copying.
static unsigned by_copy(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

// An allocator that hands out pieces of a buffer, and the same pieces again for something else.
static _Alignas(16) char arena[256];
static size_t used;

static void *take(size_t size) {
    void *p = arena + used;
    used += (size + 15) / 16 * 16;
    return p;
}

static unsigned allocator(void) {
    int *i = take(sizeof *i);
    double *d = take(sizeof *d);
    *i = 3;
    *d = 4;
    unsigned result = (unsigned)(*i + *d);
    used = 0;
    float *f = take(sizeof *f);
    char **s = take(sizeof *s);
    *f = 5;
    *s = arena;
    return result + (unsigned)*f + (*s == arena);
}

// A free list in the memory of what was freed.
struct freed {
    struct freed *next;
};

static unsigned free_list(void) {
    long *block = malloc(2 * sizeof *block);
    if (!block)
        return 0;
    block[0] = 1;
    block[1] = 2;
    struct freed *list = (struct freed *)block;
    list->next = NULL;
    unsigned is_last = list->next == NULL;
    block = (long *)list;
    block[0] = 7;
    unsigned result = is_last + (unsigned)(block[0] + block[1]);
    free(block);
    return result;
}

// container_of, and the first member.
struct link {
    struct link *next;
};
struct task {
    int priority;
    struct link link;
};
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

static unsigned intrusive(void) {
    struct task *t = calloc(1, sizeof *t);
    if (!t)
        return 0;
    t->priority = 9;
    struct link *l = &t->link;
    int *first = (int *)container_of(l, struct task, link);
    unsigned result = (unsigned)(container_of(l, struct task, link)->priority + *first);
    free(t);
    return result;
}

// Structures that begin alike, as socket addresses do.
struct address {
    unsigned short family;
    char data[14];
};
struct address_in {
    unsigned short family;
    unsigned short port;
    unsigned host;
    char zero[8];
};

static unsigned common_prefix(void) {
    struct address_in *in = malloc(sizeof *in);
    if (!in)
        return 0;
    memset(in, 0, sizeof *in);
    in->family = 2;
    in->port = 80;
    in->host = 1;
    struct address *any = (struct address *)in;
    unsigned result = any->family;
    if (any->family == 2)
        result += ((struct address_in *)any)->port;
    free(in);
    return result;
}

// Memory that is cleared, grown, sorted by the library, and filled by it.
static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static unsigned library(void) {
    float *f = malloc(8 * sizeof *f);
    if (!f)
        return 0;
    f[0] = 1;
    memset(f, 0, 8 * sizeof *f);
    int *i = (int *)f;
    unsigned zero = (unsigned)i[0];
    for (int k = 0; k < 8; k++)
        i[k] = 8 - k;
    i = realloc(i, 16 * sizeof *i);
    if (!i)
        return 0;
    qsort(i, 8, sizeof *i, compare);
    sscanf("42", "%d", &i[8]);
    unsigned result = zero + (unsigned)(i[0] + i[7] + i[8]);
    free(i);
    return result;
}

// Structures as values.
struct pair {
    int a;
    float b;
};

static struct pair swap(struct pair p) {
    struct pair q = {(int)p.b, (float)p.a};
    return q;
}

static unsigned values(void) {
    struct pair *p = malloc(sizeof *p), q;
    if (!p)
        return 0;
    *p = (struct pair){1, 2};
    q = swap(*p);
    *p = q;
    unsigned result = (unsigned)(p->a + p->b);
    free(p);
    return result;
}

// Types that say so themselves.
typedef int __attribute__((may_alias)) any_int;

static unsigned may_alias(float f) {
    return (unsigned)*(any_int *)&f;
}

// Bit-fields and what is beside them.
struct flags {
    unsigned a : 3, b : 5;
    unsigned char c;
    short d;
};

static unsigned bit_fields(void) {
    struct flags f = {1, 2, 3, 4};
    f.a = 5;
    f.b += 1;
    return f.a + f.b + f.c + (unsigned)f.d;
}

int main(void) {
    printf("%u %u %u\n", signs(), bytes(), through_union(1));
    printf("%u %u %u\n", by_copy(1), allocator(), free_list());
    printf("%u %u %u\n", intrusive(), common_prefix(), library());
    printf("%u %u %u\n", values(), may_alias(1), bit_fields());
    return 0;
}
