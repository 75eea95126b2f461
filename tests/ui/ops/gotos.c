// Duff's device, goto into a block and out of nested loops, backward jumps.
#include <stdio.h>

static void duff(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
        case 3: *to++ = *from++;
        case 2: *to++ = *from++;
        case 1: *to++ = *from++;
        } while (--n > 0);
    }
}

int main(void) {
    char buf[32] = {0};
    duff(buf, "computed by a device", 21);
    puts(buf);
    int n = 0, inside = 0;
    goto middle;
    while (n < 5) {
        inside += 100;
    middle:
        inside++;
        n++;
    }
    printf("%d %d\n", n, inside);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            if (i * j == 42) {
                printf("%d %d\n", i, j);
                goto out;
            }
out:
    n = 3;
again:
    printf("%d ", n);
    if (--n)
        goto again;
    puts("");
    return 0;
}
