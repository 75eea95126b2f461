// N queens by bit masks with counts, and by permutation with the first board printed.
#include <stdio.h>

static long count(unsigned all, unsigned cols, unsigned left, unsigned right) {
    if (cols == all)
        return 1;
    long n = 0;
    for (unsigned free = all & ~(cols | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        n += count(all, cols | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return n;
}

static int place(int n, int row, int *at) {
    if (row == n)
        return 1;
    for (at[row] = 0; at[row] < n; at[row]++) {
        int ok = 1;
        for (int r = 0; r < row && ok; r++)
            ok = at[r] != at[row] && at[r] - at[row] != row - r && at[row] - at[r] != row - r;
        if (ok && place(n, row + 1, at))
            return 1;
    }
    return 0;
}

int main(void) {
    for (int n = 1; n <= 8; n++)
        printf("%d: %ld\n", n, count((1u << n) - 1, 0, 0, 0));
    int at[10];
    for (int n = 3; n <= 8; n += 5)
        if (place(n, 0, at))
            for (int r = 0; r < n; r++, putchar('\n'))
                for (int c = 0; c < n; c++)
                    putchar(at[r] == c ? 'Q' : '.');
        else
            puts("no board");
    return 0;
}
