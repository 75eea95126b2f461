// An assembler and a stack machine with calls, frames and traps; runs factorial, gcd, a sieve and a faulty program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPS(X) X(push) X(pop) X(add) X(sub) X(mul) X(div) X(mod) X(dup) X(swap) X(lt) X(eq) X(jmp) X(jz) X(call) X(ret) X(ld) X(st) X(arg) X(out) X(halt)
#define ENUM(name) OP_##name,
#define TEXT(name) #name,
enum op { OPS(ENUM) N_OPS };
static const char *const names[] = {OPS(TEXT)};

struct ins { enum op op; int arg; };
struct label { char name[12]; int at; };
struct program { struct ins code[128]; int n; struct label labels[16]; int n_labels; };

static int find_label(const struct program *p, const char *name) {
    for (int i = 0; i < p->n_labels; i++)
        if (strcmp(p->labels[i].name, name) == 0)
            return p->labels[i].at;
    return -1;
}

static int takes_label(enum op op) { return op == OP_jmp || op == OP_jz || op == OP_call; }

static int assemble(struct program *p, const char *source) {
    for (int pass = 0; pass < 2; pass++) {
        char text[1000], *save;
        strcpy(text, source);
        p->n = 0;
        for (char *w = strtok_r(text, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
            size_t len = strlen(w);
            if (w[len - 1] == ':') {
                if (pass == 0) {
                    struct label *l = &p->labels[p->n_labels++];
                    snprintf(l->name, sizeof l->name, "%.*s", (int)len - 1, w);
                    l->at = p->n;
                }
                continue;
            }
            int op = 0;
            while (op < N_OPS && strcmp(names[op], w) != 0)
                op++;
            if (op == N_OPS) {
                printf("unknown instruction %s\n", w);
                return 0;
            }
            struct ins *i = &p->code[p->n++];
            i->op = (enum op)op;
            i->arg = 0;
            if (op == OP_push || op == OP_arg || takes_label(i->op)) {
                char *operand = strtok_r(NULL, " \n", &save);
                i->arg = takes_label(i->op) ? find_label(p, operand) : atoi(operand);
                if (pass == 1 && takes_label(i->op) && i->arg < 0) {
                    printf("unknown label %s\n", operand);
                    return 0;
                }
            }
        }
    }
    return 1;
}

static const char *run(const struct program *p, long *steps) {
    int stack[64], sp = 0, mem[64] = {0}, frames[16], fp = 0, pc = 0;
#define NEED(k)                                                                                                        \
    if (sp < (k))                                                                                                      \
    return "stack underflow"
    for (*steps = 0; *steps < 100000; ++*steps) {
        if (pc < 0 || pc >= p->n)
            return "ran off the program";
        struct ins i = p->code[pc++];
        int a, b;
        switch (i.op) {
        case OP_push:
            if (sp == 64)
                return "stack overflow";
            stack[sp++] = i.arg;
            break;
        case OP_pop: NEED(1); sp--; break;
        case OP_dup:
            NEED(1);
            if (sp == 64)
                return "stack overflow";
            stack[sp] = stack[sp - 1];
            sp++;
            break;
        case OP_swap: NEED(2); a = stack[sp - 1]; stack[sp - 1] = stack[sp - 2]; stack[sp - 2] = a; break;
        case OP_add: case OP_sub: case OP_mul: case OP_div: case OP_mod: case OP_lt: case OP_eq:
            NEED(2);
            b = stack[--sp];
            a = stack[--sp];
            if ((i.op == OP_div || i.op == OP_mod) && b == 0)
                return "division by zero";
            stack[sp++] = i.op == OP_add ? a + b : i.op == OP_sub ? a - b : i.op == OP_mul ? a * b : i.op == OP_div ? a / b : i.op == OP_mod ? a % b : i.op == OP_lt ? a < b : a == b;
            break;
        case OP_jmp: pc = i.arg; break;
        case OP_jz: NEED(1); pc = stack[--sp] ? pc : i.arg; break;
        case OP_call:
            if (fp == 16)
                return "too many calls";
            frames[fp++] = pc;
            pc = i.arg;
            break;
        case OP_ret:
            if (fp == 0)
                return "return from nowhere";
            pc = frames[--fp];
            break;
        case OP_ld: NEED(1); stack[sp - 1] = mem[stack[sp - 1] & 63]; break;
        case OP_st: NEED(2); sp -= 2; mem[stack[sp + 1] & 63] = stack[sp]; break;
        case OP_arg: NEED(i.arg + 1); stack[sp] = stack[sp - 1 - i.arg]; sp++; break;
        case OP_out: NEED(1); printf("%d ", stack[--sp]); break;
        case OP_halt: return "halted";
        case N_OPS: return "bad instruction";
        }
    }
    return "too many steps";
}

int main(void) {
    const char *sources[] = {
        "push 10 call fact out halt fact: dup push 2 lt jz more pop push 1 ret more: dup push 1 sub call fact mul ret",
        "push 1071 push 462 loop: dup jz done swap arg 1 mod jmp loop done: pop out halt",
        "push 2 next: dup ld jz prime jmp step prime: dup out dup mark: arg 1 add dup push 64 lt jz end dup push 1 swap st jmp mark end: pop step: push 1 add dup push 40 lt jz stop jmp next stop: halt",
        "push 1 push 0 div halt", "add", "jmp nowhere", "loop: jmp loop", "f: call f", "frob"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct program p = {.n = 0};
        long steps;
        if (assemble(&p, sources[i])) {
            const char *end = run(&p, &steps);
            printf("%s after %ld steps\n", end, steps);
        }
    }
    return 0;
}
