// Empty inline assembly as a compiler barrier and as an opaque identity.
#include <stdio.h>

static int hide(int x) {
    __asm__ volatile("" : "+r"(x));
    return x;
}

int main(void) {
    int v[3] = {1, 2, 3};
    v[1] = hide(40);
    __asm__ volatile("" ::: "memory");
    v[1] += 2;
    __asm__ volatile("" : : "r"(&v) : "memory");
    printf("%d %d\n", v[1], hide(v[0] + v[2]));
    return 0;
}
