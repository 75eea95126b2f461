// Symbols of every linkage, inline assembly, computed goto, variable-length arrays, structs by value, non-local exits.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big { long words[8]; };
struct pair { float x, y; };
struct __attribute__((packed)) odd { char c; int i; short s[3]; };
struct opaque;

extern struct opaque *handle;
extern int maybe __attribute__((weak));
int tentative;
__attribute__((weak)) int weak_variable = 3;
__attribute__((section(".custom"), aligned(64), used)) static int sectioned = 5;
__attribute__((visibility("hidden"))) struct odd odd = {'c', -1, {1, 2, 3}};
static jmp_buf env;
static struct pair pairs[] = {{1, 2}, {.y = 3}};
static int *into_pairs = (int *)&pairs[1].y;
static long difference = (long)&odd.i + 4;

int implementation(int x) { return x + tentative; }
int other_name(int x) __attribute__((alias("implementation")));
int weak_name(int x) __attribute__((weak, alias("implementation")));
static int (*resolve(void))(int) { return implementation; }
int chosen(int x) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void set_up(void) { tentative = sectioned; }

struct big make_big(struct big from, int n) {
#ifdef WEAK_ADDRESS // Before release 20 this is a constant expression that later assemblers refuse.
    from.words[n & 7] += &maybe ? maybe : 0;
#endif
    from.words[n & 7] += maybe + weak_variable;
    return from;
}
struct pair swap(struct pair p) { return (struct pair){p.y, p.x}; }

int interpret(const unsigned char *code) {
    static void *const labels[] = {&&stop, &&increment, &&twice};
    int accumulator = 0;
    goto *labels[*code];
increment:
    accumulator++;
    goto *labels[*++code];
twice:
    accumulator *= 2;
    goto *labels[*++code];
stop:
    return accumulator;
}

unsigned long read_clock(void) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    __asm__("incl %0" : "+m"(low));
    return (unsigned long)high << 32 | low;
}

__attribute__((noreturn)) static void leave(int signal) { longjmp(env, signal); }

double average(int n, double values[n][n]) {
    double copy[n];
    memcpy(copy, values[0], sizeof copy);
    double total = 0;
    for (int i = 0; i < n; i++) total += copy[i] + *into_pairs;
    return total / n;
}

int main(void) {
    signal(SIGSEGV, leave);
    switch (setjmp(env)) {
    case 0: break;
    default: exit(difference != 0);
    }
    struct big big = {{chosen(1), other_name(2), weak_name(3)}};
    big = make_big(big, 9);
    printf("%ld %f %d %lu\n", big.words[1], swap(pairs[0]).x, interpret((const unsigned char *)"\1\2"), read_clock());
    if (!handle) __builtin_unreachable();
    return (int)average(2, (double[2][2]){{1, 2}, {3, 4}});
}
