// A hash map with open addressing, tombstones and growth, keyed by strings: word counts and random churn.
// stdin: the cat and the dog and the bird\na cat is not a dog\nthe end\n
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { char *key; int value; };
struct map { struct entry *slots; size_t cap, used, live; };

static char tombstone;

static uint32_t hash(const char *s) {
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

static struct entry *slot(const struct map *m, const char *key, int for_insert) {
    struct entry *grave = NULL;
    for (size_t i = hash(key) & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
        struct entry *e = &m->slots[i];
        if (!e->key)
            return for_insert && grave ? grave : e;
        if (e->key == &tombstone) {
            if (!grave)
                grave = e;
        } else if (strcmp(e->key, key) == 0) {
            return e;
        }
    }
}

static void grow(struct map *m) {
    struct map bigger = {calloc(m->cap ? m->cap * 2 : 8, sizeof *bigger.slots), m->cap ? m->cap * 2 : 8, 0, 0};
    for (size_t i = 0; i < m->cap; i++)
        if (m->slots[i].key && m->slots[i].key != &tombstone) {
            *slot(&bigger, m->slots[i].key, 1) = m->slots[i];
            bigger.used++;
            bigger.live++;
        }
    free(m->slots);
    *m = bigger;
}

static int *get(struct map *m, const char *key) {
    if (m->used * 4 >= m->cap * 3)
        grow(m);
    struct entry *e = slot(m, key, 1);
    if (!e->key || e->key == &tombstone) {
        m->used += !e->key;
        m->live++;
        e->key = strdup(key);
        e->value = 0;
    }
    return &e->value;
}

static int discard(struct map *m, const char *key) {
    struct entry *e = m->cap ? slot(m, key, 0) : NULL;
    if (!e || !e->key || e->key == &tombstone)
        return 0;
    free(e->key);
    e->key = &tombstone;
    m->live--;
    return 1;
}

static void drop(struct map *m) {
    for (size_t i = 0; i < m->cap; i++)
        if (m->slots[i].key != &tombstone)
            free(m->slots[i].key);
    free(m->slots);
    *m = (struct map){0};
}

static int by_count(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    return x->value != y->value ? y->value - x->value : strcmp(x->key, y->key);
}

int main(void) {
    struct map m = {0};
    char word[32];
    while (scanf("%31s", word) == 1)
        ++*get(&m, word);
    struct entry **list = malloc(m.live * sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < m.cap; i++)
        if (m.slots[i].key)
            list[n++] = &m.slots[i];
    qsort(list, n, sizeof *list, by_count);
    for (size_t i = 0; i < n; i++)
        printf("%s %d\n", list[i]->key, list[i]->value);
    free(list);
    drop(&m);
    unsigned seed = 1;
    int removed = 0;
    for (int i = 0; i < 3000; i++) {
        seed = seed * 1664525 + 1013904223;
        sprintf(word, "key%u", seed >> 20 & 255);
        if (seed >> 30 == 0)
            removed += discard(&m, word);
        else
            *get(&m, word) += i;
    }
    long sum = 0;
    for (size_t i = 0; i < m.cap; i++)
        if (m.slots[i].key && m.slots[i].key != &tombstone)
            sum += m.slots[i].value;
    printf("%zu %zu %d %ld\n", m.live, m.cap, removed, sum);
    drop(&m);
    return 0;
}
