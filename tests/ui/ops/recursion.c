// Plain, mutual, tree and deep recursion, with locals that must survive.
#include <stdio.h>

static unsigned long fib(int n) { return n < 2 ? (unsigned long)n : fib(n - 1) + fib(n - 2); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int depth(int n) {
    int local[4] = {n, n + 1, n + 2, n + 3};
    if (n > 0) {
        int r = depth(n - 1);
        return r + local[n % 4] - n;
    }
    return 0;
}
static void hanoi(int n, char a, char b, char c, int *moves) {
    if (n == 0)
        return;
    hanoi(n - 1, a, c, b, moves);
    if (++*moves % 10 == 0)
        printf("%c%c ", a, c);
    hanoi(n - 1, b, a, c, moves);
}

int main(void) {
    int moves = 0;
    printf("%lu %d %d %d %d\n", fib(18), even(1001), odd(77), ackermann(2, 5), depth(3000));
    hanoi(7, 'A', 'B', 'C', &moves);
    printf("%d\n", moves);
    return 0;
}
