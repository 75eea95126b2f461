// Labels as values: a threaded interpreter and a static table of offsets to labels.
#include <stdio.h>

static int run(const unsigned char *code) {
    static const void *const ops[] = {&&push, &&add, &&mul, &&dup, &&jnz, &&halt};
    int stack[16], sp = 0;
    const unsigned char *pc = code;
#define NEXT goto *ops[*pc++]
    NEXT;
push: stack[sp++] = *pc++; NEXT;
add: sp--; stack[sp - 1] += stack[sp]; NEXT;
mul: sp--; stack[sp - 1] *= stack[sp]; NEXT;
dup: stack[sp] = stack[sp - 1]; sp++; NEXT;
jnz:
    if (stack[--sp] != 0)
        pc = code + *pc;
    else
        pc++;
    NEXT;
halt: return stack[sp - 1];
}

static int offsets(int i) {
    static const int table[] = {&&a - &&a, &&b - &&a, &&c - &&a};
    goto *(&&a + table[i]);
a: return 100;
b: return 200;
c: return 300;
}

int main(void) {
    const unsigned char square[] = {0, 12, 3, 2, 0, 5, 1, 5}, loop[] = {0, 5, 0, 7, 2, 0, 0, 4, 0, 5};
    printf("%d %d %d %d %d\n", run(square), run(loop), offsets(0), offsets(1), offsets(2));
    return 0;
}
