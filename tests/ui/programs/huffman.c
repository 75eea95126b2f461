// Huffman coding with a heap of trees: code lengths, canonical codes, packed bits and their decoding.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree { unsigned weight; int symbol; struct tree *left, *right; };

static struct tree *heap[256];
static int n_heap, lengths[256];
static uint32_t codes[256];

static int before(const struct tree *a, const struct tree *b) { return a->weight != b->weight ? a->weight < b->weight : a->symbol < b->symbol; }

static void push(struct tree *t) {
    int i = n_heap++;
    for (; i && before(t, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = t;
}

static struct tree *pop(void) {
    struct tree *top = heap[0], *t = heap[--n_heap];
    int i = 0;
    for (int c; (c = 2 * i + 1) < n_heap; i = c) {
        c += c + 1 < n_heap && before(heap[c + 1], heap[c]);
        if (before(t, heap[c]))
            break;
        heap[i] = heap[c];
    }
    heap[i] = t;
    return top;
}

static struct tree *make(unsigned weight, int symbol, struct tree *l, struct tree *r) {
    struct tree *t = malloc(sizeof *t);
    *t = (struct tree){weight, symbol, l, r};
    return t;
}

static void measure(struct tree *t, int depth) {
    if (t->left) {
        measure(t->left, depth + 1);
        measure(t->right, depth + 1);
    } else {
        lengths[t->symbol] = depth;
    }
    free(t);
}

static void assign(void) {
    uint32_t code = 0;
    for (int len = 1; len < 32; len++, code <<= 1)
        for (int s = 0; s < 256; s++)
            if (lengths[s] == len)
                codes[s] = code++;
}

int main(void) {
    const char *text = "abracadabra, said the magician, and the cabinet was bare";
    unsigned count[256] = {0};
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        count[(unsigned char)text[i]]++;
    for (int s = 0; s < 256; s++)
        if (count[s])
            push(make(count[s], s, NULL, NULL));
    while (n_heap > 1) {
        struct tree *a = pop(), *b = pop();
        push(make(a->weight + b->weight, a->symbol < b->symbol ? a->symbol : b->symbol, a, b));
    }
    measure(pop(), 0);
    assign();
    for (int s = 0; s < 256; s++)
        if (lengths[s])
            printf("'%c' %u %d %x\n", s, count[s], lengths[s], codes[s]);
    uint8_t bits[200] = {0};
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        int s = (unsigned char)text[i];
        for (int k = lengths[s] - 1; k >= 0; k--, at++)
            bits[at / 8] |= (uint8_t)((codes[s] >> k & 1) << at % 8);
    }
    printf("%zu bits for %zu\n", at, n * 8);
    uint32_t code = 0;
    int len = 0;
    for (size_t i = 0; i < at; i++) {
        code = code << 1 | (bits[i / 8] >> i % 8 & 1);
        len++;
        for (int s = 0; s < 256; s++)
            if (lengths[s] == len && codes[s] == code) {
                putchar(s);
                code = 0;
                len = 0;
                break;
            }
    }
    putchar('\n');
    return 0;
}
