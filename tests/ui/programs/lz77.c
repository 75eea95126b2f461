// An LZ77 compressor with a hash chain, and its decompressor; every block must come back unchanged.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 4096, MIN_MATCH = 3, MAX_MATCH = 18, HASH = 1024 };

struct buffer { uint8_t *data; size_t n, cap; };

static void put(struct buffer *b, uint8_t byte) {
    if (b->n == b->cap)
        b->data = realloc(b->data, b->cap = b->cap ? b->cap * 2 : 64);
    b->data[b->n++] = byte;
}

static unsigned hash(const uint8_t *p) { return (p[0] * 33u * 33u + p[1] * 33u + p[2]) % HASH; }

static struct buffer compress(const uint8_t *in, size_t n) {
    struct buffer out = {0};
    int *head = malloc(HASH * sizeof *head), *prev = malloc((n + 1) * sizeof *prev);
    for (int i = 0; i < HASH; i++)
        head[i] = -1;
    size_t flags = 0, i = 0;
    int bit = 8;
    while (i < n) {
        size_t best = 0, from = 0;
        if (i + MIN_MATCH <= n) {
            int tries = 32;
            for (int c = head[hash(in + i)]; c >= 0 && i - (size_t)c < WINDOW && tries--; c = prev[c]) {
                size_t len = 0;
                while (len < MAX_MATCH && i + len < n && in[(size_t)c + len] == in[i + len])
                    len++;
                if (len > best) {
                    best = len;
                    from = (size_t)c;
                }
            }
        }
        if (bit == 8) {
            flags = out.n;
            put(&out, 0);
            bit = 0;
        }
        size_t step = 1;
        if (best >= MIN_MATCH) {
            size_t distance = i - from;
            out.data[flags] |= (uint8_t)(1 << bit);
            put(&out, (uint8_t)distance);
            put(&out, (uint8_t)(distance >> 8 << 4 | (best - MIN_MATCH)));
            step = best;
        } else {
            put(&out, in[i]);
        }
        bit++;
        for (; step--; i++)
            if (i + MIN_MATCH <= n) {
                unsigned h = hash(in + i);
                prev[i] = head[h];
                head[h] = (int)i;
            }
    }
    free(head);
    free(prev);
    return out;
}

static struct buffer expand(const uint8_t *in, size_t n) {
    struct buffer out = {0};
    for (size_t i = 0; i < n;) {
        uint8_t flags = in[i++];
        for (int bit = 0; bit < 8 && i < n; bit++) {
            if (!(flags >> bit & 1)) {
                put(&out, in[i++]);
                continue;
            }
            size_t distance = in[i] | (size_t)(in[i + 1] >> 4) << 8, len = (in[i + 1] & 15u) + MIN_MATCH;
            i += 2;
            while (len--)
                put(&out, out.data[out.n - distance]);
        }
    }
    return out;
}

static void round_trip(const char *name, const uint8_t *in, size_t n) {
    struct buffer packed = compress(in, n), back = expand(packed.data, packed.n);
    uint32_t sum = 1;
    for (size_t i = 0; i < packed.n; i++)
        sum = sum * 31 + packed.data[i];
    printf("%s %zu -> %zu %08x %s\n", name, n, packed.n, sum, back.n == n && (n == 0 || memcmp(back.data, in, n) == 0) ? "ok" : "DIFFERENT");
    free(packed.data);
    free(back.data);
}

int main(void) {
    static uint8_t block[20000];
    const char *text = "how much wood would a woodchuck chuck if a woodchuck could chuck wood";
    round_trip("empty", block, 0);
    round_trip("text", (const uint8_t *)text, strlen(text));
    memset(block, 'a', 5000);
    round_trip("run", block, 5000);
    uint32_t seed = 3;
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
    round_trip("noise", block, 3000);
    for (size_t i = 100; i < sizeof block; i++)
        block[i] = i % 7 ? block[i - 97] : (uint8_t)i;
    round_trip("mixed", block, sizeof block);
    return 0;
}
