// Conway's life on a torus, a glider, a toad and a block, with the board kept in bit rows.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { H = 16, W = 32 };
typedef uint32_t board[H];

static uint32_t left(uint32_t r) { return r << 1 | r >> 31; }
static uint32_t right(uint32_t r) { return r >> 1 | r << 31; }

static void step(board to, const board from) {
    for (int y = 0; y < H; y++) {
        uint32_t rows[8], one = 0, two = 0, four = 0;
        uint32_t a = from[(y + H - 1) % H], b = from[y], c = from[(y + 1) % H];
        uint32_t around[8] = {left(a), a, right(a), left(b), right(b), left(c), c, right(c)};
        memcpy(rows, around, sizeof rows);
        for (int i = 0; i < 8; i++) {
            uint32_t carry = one & rows[i];
            one ^= rows[i];
            four |= two & carry;
            two ^= carry;
        }
        to[y] = two & ~four & (one | b);
    }
}

int main(void) {
    board b = {0}, next;
    const char *start[] = {".#", "..#", "###", "", "", "......###", ".....###", "", "..........##", "..........##"};
    for (int y = 0; y < 10; y++)
        for (int x = 0; start[y][x]; x++)
            if (start[y][x] == '#')
                b[y] |= 1u << x;
    for (int g = 0; g <= 60; g++) {
        int alive = 0;
        for (int y = 0; y < H; y++)
            alive += __builtin_popcount(b[y]);
        if (g % 20 == 0) {
            printf("generation %d, %d alive\n", g, alive);
            for (int y = 0; y < H; y++, putchar('\n'))
                for (int x = 0; x < W; x++)
                    putchar(b[y] >> x & 1 ? '#' : '.');
        }
        step(next, b);
        memcpy(b, next, sizeof b);
    }
    return 0;
}
