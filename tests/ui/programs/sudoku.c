// A sudoku solver with bit sets and the most constrained cell first.
// args: 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.. 11.......
#include <stdio.h>
#include <string.h>

static unsigned rows[9], cols[9], boxes[9];
static int grid[81];
static long nodes;

static unsigned candidates(int cell) {
    int r = cell / 9, c = cell % 9;
    return 0x1ff & ~(rows[r] | cols[c] | boxes[r / 3 * 3 + c / 3]);
}

static void toggle(int cell, int digit) {
    int r = cell / 9, c = cell % 9;
    unsigned bit = 1u << (digit - 1);
    rows[r] ^= bit;
    cols[c] ^= bit;
    boxes[r / 3 * 3 + c / 3] ^= bit;
}

static int solve(void) {
    int best = -1, fewest = 10;
    nodes++;
    for (int cell = 0; cell < 81; cell++)
        if (!grid[cell]) {
            int n = __builtin_popcount(candidates(cell));
            if (n < fewest) {
                fewest = n;
                best = cell;
            }
        }
    if (best < 0)
        return 1;
    for (unsigned set = candidates(best); set; set &= set - 1) {
        int digit = __builtin_ctz(set) + 1;
        grid[best] = digit;
        toggle(best, digit);
        if (solve())
            return 1;
        toggle(best, digit);
        grid[best] = 0;
    }
    return 0;
}

static int load(const char *text) {
    memset(rows, 0, sizeof rows);
    memset(cols, 0, sizeof cols);
    memset(boxes, 0, sizeof boxes);
    memset(grid, 0, sizeof grid);
    for (int cell = 0; cell < 81 && text[cell]; cell++)
        if (text[cell] != '.') {
            int digit = text[cell] - '0';
            if (!(candidates(cell) & 1u << (digit - 1)))
                return 0;
            grid[cell] = digit;
            toggle(cell, digit);
        }
    return 1;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        nodes = 0;
        if (!load(argv[i])) {
            puts("contradictory");
            continue;
        }
        int solved = solve();
        for (int cell = 0; cell < 81; cell++)
            putchar('0' + grid[cell]);
        printf(" %d %ld\n", solved, nodes);
    }
    return 0;
}
