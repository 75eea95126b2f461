// Membership tests that the optimiser turns into a bit mask: the shift may be out of range while its result is not used.
#include <stdio.h>
#include <string.h>

static int is_operator(char c) { return strchr("*+?", c) != NULL; }
static int in_set(unsigned n) { return n < 32 && (0x88421u >> n & 1); }
static int vowel(int c) {
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
    default: return 0;
    }
}

int main(void) {
    for (const char *s = "a*b+c?z~"; *s; s++)
        printf("%d%d", is_operator(*s), vowel(*s));
    for (unsigned n = 0; n < 200; n += 5)
        printf("%d", in_set(n));
    puts("");
    return 0;
}
