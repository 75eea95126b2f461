// Base64, CRC-32, MD5 and SHA-256 over standard test strings.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); }
static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void base64(const uint8_t *in, size_t n, char *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)in[i] << 16 | (i + 1 < n ? (uint32_t)in[i + 1] << 8 : 0) | (i + 2 < n ? in[i + 2] : 0u);
        for (int k = 0; k < 4; k++)
            *out++ = i + (size_t)k > n ? '=' : digits[v >> (18 - 6 * k) & 63];
    }
    *out = 0;
}

static uint32_t crc32(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

typedef void compress(uint32_t *state, const uint8_t block[64]);

/* Merkle-Damgard padding shared by both digests; only the order of the length's bytes differs. */
static void digest(compress *f, uint32_t *state, const uint8_t *p, size_t n, int big_endian) {
    uint64_t bits = (uint64_t)n * 8;
    for (; n >= 64; n -= 64, p += 64)
        f(state, p);
    uint8_t last[128] = {0};
    if (n)
        memcpy(last, p, n);
    last[n] = 0x80;
    size_t total = n + 9 <= 64 ? 64 : 128;
    for (size_t i = 0; i < 8; i++)
        last[total - 8 + i] = (uint8_t)(bits >> (big_endian ? 56 - 8 * i : 8 * i));
    for (size_t i = 0; i < total; i += 64)
        f(state, last + i);
}

static uint32_t md5_k[64];
static void md5_block(uint32_t *s, const uint8_t *p) {
    static const int r[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], m[16];
    for (int i = 0; i < 16; i++)
        m[i] = (uint32_t)p[4 * i] | (uint32_t)p[4 * i + 1] << 8 | (uint32_t)p[4 * i + 2] << 16 | (uint32_t)p[4 * i + 3] << 24;
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int g;
        switch (i / 16) {
        case 0: f = (b & c) | (~b & d); g = i; break;
        case 1: f = (d & b) | (~d & c); g = (5 * i + 1) % 16; break;
        case 2: f = b ^ c ^ d; g = (3 * i + 5) % 16; break;
        default: f = c ^ (b | ~d); g = 7 * i % 16; break;
        }
        uint32_t t = d;
        d = c;
        c = b;
        b += rotl(a + f + md5_k[i] + m[g], r[i / 16][i % 4]);
        a = t;
    }
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += d;
}

static uint32_t sha_k[64], sha_init[8];
static void sha_block(uint32_t *s, const uint8_t *p) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] + (rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, s, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = v[7] + (rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + sha_k[i] + w[i];
        uint32_t t2 = (rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        s[i] += v[i];
}

/* The first 32 fractional bits of a root of p, found by bisection on integers. */
static uint32_t root_bits(unsigned p, int degree) {
    unsigned __int128 lo = 0, hi = (unsigned __int128)p << 32;
    while (hi - lo > 1) {
        unsigned __int128 mid = (lo + hi) / 2, power = mid * mid, want = (unsigned __int128)p << 64;
        if (degree == 3) {
            if (mid >> 40)
                power = ~(unsigned __int128)0;
            else
                power = power / 65536 * mid / 65536, want = (unsigned __int128)p << 64;
        }
        if (power <= want)
            lo = mid;
        else
            hi = mid;
    }
    return (uint32_t)lo;
}

static void prepare(void) {
    for (int i = 0; i < 64; i++)
        md5_k[i] = (uint32_t)(long long)(fabs(sin(i + 1)) * 4294967296.0);
    for (unsigned p = 2, n = 0; n < 64; p++) {
        unsigned d = 2;
        while (d * d <= p && p % d)
            d++;
        if (d * d <= p)
            continue;
        if (n < 8)
            sha_init[n] = root_bits(p, 2);
        sha_k[n++] = root_bits(p, 3);
    }
}

int main(void) {
    static uint8_t million[10000];
    memset(million, 'a', sizeof million);
    const char *texts[] = {"", "a", "abc", "message digest", "12345678901234567890123456789012345678901234567890123456789012345678901234567890"};
    prepare();
    for (size_t i = 0; i < 6; i++) {
        const uint8_t *p = i < 5 ? (const uint8_t *)texts[i] : million;
        size_t n = i < 5 ? strlen(texts[i]) : sizeof million;
        uint32_t md5[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}, sha[8];
        memcpy(sha, sha_init, sizeof sha);
        digest(md5_block, md5, p, n, 0);
        digest(sha_block, sha, p, n, 1);
        char text[200];
        base64(p, n < 100 ? n : 100, text);
        printf("%s\n%08x ", text, crc32(p, n));
        for (int k = 0; k < 16; k++)
            printf("%02x", md5[k / 4] >> 8 * (k % 4) & 255);
        putchar(' ');
        for (int k = 0; k < 8; k++)
            printf("%08x", sha[k]);
        putchar('\n');
    }
    return 0;
}
