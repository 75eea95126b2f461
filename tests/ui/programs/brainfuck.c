// A brainf*** interpreter that first folds runs and matches brackets: a word, digits, a triangle, and stdin reversed.
// stdin: reversed\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ins { char op; int arg; };

static struct ins *compile(const char *source, int *n_out) {
    struct ins *code = malloc((strlen(source) + 1) * sizeof *code);
    int stack[64], depth = 0, n = 0;
    for (const char *p = source; *p; p++) {
        int run = 0;
        switch (*p) {
        case '+': case '-': case '<': case '>':
            while (p[run] == *p)
                run++;
            code[n++] = (struct ins){strchr("+-", *p) ? '+' : '>', strchr("+>", *p) ? run : -run};
            p += run - 1;
            break;
        case '.': case ',': code[n++] = (struct ins){*p, 0}; break;
        case '[':
            if (depth == 64) {
                free(code);
                return NULL;
            }
            stack[depth++] = n;
            code[n++] = (struct ins){'[', 0};
            break;
        case ']':
            if (depth == 0) {
                free(code);
                return NULL;
            }
            code[n] = (struct ins){']', stack[--depth]};
            code[code[n].arg].arg = n;
            n++;
        }
    }
    if (depth) {
        free(code);
        return NULL;
    }
    code[n++] = (struct ins){0, 0};
    *n_out = n;
    return code;
}

static long run(const struct ins *code) {
    unsigned char tape[3000] = {0}, *at = tape;
    long steps = 0;
    for (const struct ins *i = code; i->op; i++, steps++)
        switch (i->op) {
        case '+': *at = (unsigned char)(*at + i->arg); break;
        case '>': at += i->arg; break;
        case '.': putchar(*at); break;
        case ',': {
            int c = getchar();
            *at = (unsigned char)(c == EOF ? 0 : c);
            break;
        }
        case '[':
            if (!*at)
                i = code + i->arg;
            break;
        case ']':
            if (*at)
                i = code + i->arg;
        }
    return steps;
}

int main(void) {
    const char *programs[] = {
        "++++++++[>+++++++++<-]>.>+++[<+++++++++++>-]<.>++++++++[<--------->-]<.", ">++++++++[<++++++>-]<>++++++++++[<.+>-]",
        ">>>++++++[>+++++++<-]>>++++++++++<<<<<++++++++[>+[>+>+<<-]>>[<<+>>-]<[>>.<<-]>>>.<<<<<-]",
        ">,[>,]<[.<]", "[[]", "]"};
    for (int i = 0; i < 6; i++) {
        int n = 0;
        struct ins *code = compile(programs[i], &n);
        if (!code) {
            puts("unbalanced");
            continue;
        }
        long steps = run(code);
        printf("\n%d instructions, %ld steps\n", n, steps);
        free(code);
    }
    return 0;
}
