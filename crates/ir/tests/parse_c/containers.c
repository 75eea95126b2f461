// Pointers, structs, function pointers, string functions, qsort, and most of what everyday C uses.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    char *key;
    union {
        long number;
        double real;
        struct { unsigned low : 5, high : 11; int rest : 16; } bits;
    } value;
};

enum colour { RED = -1, GREEN, BLUE = 1 << 20 };

static struct entry *table[64];
static const struct { const char *name; int (*test)(int); } tests[] = {
    {"alpha", isalpha}, {"digit", isdigit}, {"space\t\"quoted\" \\ \x01", isspace},
};
static long counters[4][3] = {{1, 2, 3}, {[2] = INT_MAX}, {-1}};
extern int missing_counter;

static unsigned hash(const char *text) {
    unsigned h = 5381;
    while (*text) h = h * 33 ^ (unsigned char)*text++;
    return h % 64;
}

struct entry *lookup(const char *key, int create) {
    unsigned h = hash(key);
    for (struct entry *e = table[h]; e; e = e->next)
        if (strcmp(e->key, key) == 0) return e;
    if (!create) {
        errno = ENOENT;
        return NULL;
    }
    struct entry *e = calloc(1, sizeof *e);
    if (!e || !(e->key = strdup(key))) abort();
    e->next = table[h];
    return table[h] = e;
}

static int compare(const void *a, const void *b) {
    const struct entry *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

enum colour classify(int c) {
    switch (c) {
    case 'r': case 'R': return RED;
    case 'g' ... 'i': return GREEN;
    case -5: return (enum colour)counters[1][2];
    default: return c > 1000 ? BLUE : (enum colour)missing_counter;
    }
}

int main(int argc, char **argv) {
    struct entry **all = malloc(argc * sizeof *all);
    int n = 0;
    for (int i = 1; i < argc; i++) {
        struct entry *e = lookup(argv[i], 1);
        e->value.bits.low += i;
        e->value.bits.rest = -i;
        all[n++] = e;
    }
    qsort(all, n, sizeof *all, compare);
    do {
        printf("%s %ld\n", n ? all[n - 1]->key : "none", n ? all[n - 1]->value.number : 0L);
    } while (n-- > 1);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (tests[i].test(argv[0][0])) fprintf(stderr, "%s: %d\n", tests[i].name, classify(argc));
    free(all);
    return 0;
}
