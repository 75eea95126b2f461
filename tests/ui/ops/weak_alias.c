// Weak definitions, weak undefined references and aliases.
// files: parts/weak_strong.c
#include <stdio.h>

__attribute__((weak)) int overridden(void) { return 1; }
__attribute__((weak)) int kept(void) { return 2; }
__attribute__((weak)) int absent(void);
__attribute__((weak)) int weak_data = 3;
extern int strong_data;

static int original(int x) { return x * 2; }
int same(int x) __attribute__((alias("original")));
int data = 40;
extern int data_too __attribute__((alias("data")));

int main(void) {
    data_too += 2;
    printf("%d %d %d %d %d\n", overridden(), kept(), absent ? absent() : -1, weak_data, strong_data);
    printf("%d %d %d\n", same(21), data, same == original);
    return 0;
}
