// Loops over pointers, which an optimiser turns into vectors of addresses.
#include <stdio.h>

enum { COUNT = 37 };

struct item {
    int key;
    char name[12];
    struct item *next;
};

static struct item items[COUNT];
static struct item *table[COUNT];
static int *keys[COUNT];
static char *ends[COUNT];
static short chosen[COUNT];

__attribute__((noinline)) static void fill(struct item *base, int n) {
    for (int i = 0; i < n; i++)
        table[i] = &base[i];
}

__attribute__((noinline)) static void fill_fields(int n) {
    for (int i = 0; i < n; i++)
        keys[i] = &table[i]->key;
}

__attribute__((noinline)) static void fill_chosen(struct item *base, const short *which, int n) {
    for (int i = 0; i < n; i++)
        ends[i] = &base[which[i]].name[which[i] % 12];
}

__attribute__((noinline)) static void link_all(struct item *base, int n) {
    for (int i = 0; i < n; i++)
        base[i].next = &base[(i * 5 + 3) % COUNT];
}

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        items[i].key = i * i;
        chosen[i] = (short)(COUNT - 1 - i);
    }
    fill(items, COUNT);
    fill_fields(COUNT);
    fill_chosen(items, chosen, COUNT);
    link_all(items, COUNT);
    long sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum = sum * 7 % 1000003 + *keys[i] + (ends[i] - (char *)items) + (table[i]->next - items);
    printf("%ld\n", sum);
    return 0;
}
