// Programs ask the processor what it can do, and must come to the same result on either way.
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>

static int has_popcount(void) {
    unsigned a = 1, b = 0, c = 0, d = 0;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return c >> 23 & 1;
}

static int has_more(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 5 & 1);
}

static int count_bits(uint64_t word) {
    int count = 0;
    if (has_popcount())
        return __builtin_popcountll(word);
    for (; word; word &= word - 1)
        count++;
    return count;
}

int main(void) {
    __asm__ volatile("pause");
    __asm__ volatile("rep; nop" ::: "memory");
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile(".p2align 4");
    printf("%d %d\n", count_bits(0xf0f0f0f012345678), has_more() == has_more());
    return 0;
}
