// A register machine in one big switch, long enough to exercise dispatch: primes, then a checksum.
#include <stdio.h>

enum { LI, ADD, SUB, MUL, MOD, JLT, JZ, JMP, OUT, ST, LD, HLT };
struct ins { unsigned char op, a, b, c; int imm; };

static unsigned run(const struct ins *code) {
    int r[8] = {0}, mem[64] = {0}, pc = 0;
    unsigned steps = 0;
    for (;;) {
        const struct ins *i = &code[pc++];
        steps++;
        switch (i->op) {
        case LI: r[i->a] = i->imm; break;
        case ADD: r[i->a] = r[i->b] + r[i->c]; break;
        case SUB: r[i->a] = r[i->b] - r[i->c]; break;
        case MUL: r[i->a] = r[i->b] * r[i->c]; break;
        case MOD: r[i->a] = r[i->b] % r[i->c]; break;
        case JLT: if (r[i->a] < r[i->b]) pc = i->imm; break;
        case JZ: if (r[i->a] == 0) pc = i->imm; break;
        case JMP: pc = i->imm; break;
        case OUT: printf("%d ", r[i->a]); break;
        case ST: mem[r[i->b] & 63] = r[i->a]; break;
        case LD: r[i->a] = mem[r[i->b] & 63]; break;
        case HLT: return steps;
        }
    }
}

int main(void) {
    const struct ins primes[] = {
        {LI, 0, 0, 0, 2}, {LI, 7, 0, 0, 1}, {LI, 6, 0, 0, 100},
        {LI, 1, 0, 0, 2}, {MUL, 2, 1, 1, 0}, {JLT, 0, 2, 0, 10}, {MOD, 3, 0, 1, 0}, {JZ, 3, 0, 0, 11}, {ADD, 1, 1, 7, 0}, {JMP, 0, 0, 0, 4},
        {OUT, 0, 0, 0, 0}, {ADD, 0, 0, 7, 0}, {JLT, 0, 6, 0, 3}, {HLT, 0, 0, 0, 0}};
    printf("\n%u\n", run(primes));
    return 0;
}
