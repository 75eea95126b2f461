// Arrays of run-time size, two-dimensional ones as parameters, alloca in a loop, sizeof at run time.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int trace(int n, int m[n][n]) {
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}
static int build(int n) {
    int m[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = i * n + j;
    return trace(n, m) + (int)sizeof m;
}
static size_t chain(int n) {
    struct node { struct node *next; int v; } *head = 0;
    for (int i = 0; i < n; i++) {
        struct node *p = alloca(sizeof *p);
        p->next = head;
        p->v = i;
        head = p;
    }
    size_t s = 0;
    for (; head; head = head->next)
        s = s * 3 + (size_t)head->v;
    return s;
}

int main(void) {
    for (int n = 1; n < 8; n++) {
        char text[n + 1];
        memset(text, 'a' + n, (size_t)n);
        text[n] = 0;
        printf("%s %zu %d %zu\n", text, sizeof text, build(n), chain(n));
    }
    return 0;
}
