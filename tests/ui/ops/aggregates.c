// Compound literals, designated initialisers, nested arrays, flexible array members, struct assignment.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; const char *name; };
struct packet { unsigned char kind; unsigned short len; int data[]; };

static int norm(const struct point *p) { return p->x * p->x + p->y * p->y; }
static int sum(const int *v) {
    int s = 0;
    while (*v)
        s += *v++;
    return s;
}

int main(void) {
    static const int sparse[10] = {[3] = 5, 6, [9] = 1, [0] = 2};
    int grid[3][4] = {{1}, {2, 3}, [2][3] = 9};
    struct line l = {.to = {.y = 4, .x = 3}, .name = "l"}, copies[2] = {l, {.from.x = 8}};
    copies[1].to = l.to;
    printf("%d %d %d %d\n", sparse[3], sparse[4], sparse[9], sparse[5]);
    printf("%d %d %d\n", grid[0][0] + grid[1][1], grid[2][3], grid[2][0]);
    printf("%d %s %d %d\n", norm(&copies[0].to), copies[0].name, copies[1].from.x, copies[1].name == NULL);
    printf("%d %d\n", norm(&(struct point){5, 12}), sum((int[]){1, 2, 3, 4, 0}));
    struct packet *p = malloc(sizeof *p + 3 * sizeof(int));
    *p = (struct packet){7, 3};
    for (int i = 0; i < p->len; i++)
        p->data[i] = i * i + 1;
    printf("%d %d %zu %zu\n", p->data[2], p->kind, sizeof *p, offsetof(struct packet, data));
    struct packet *q = malloc(sizeof *q + 3 * sizeof(int));
    memcpy(q, p, sizeof *p + 3 * sizeof(int));
    printf("%d\n", q->data[1] + q->len);
    free(p);
    free(q);
    char text[] = "array", *ptr = "pointer", exact[3] = {'a', 'b', 'c'};
    text[0] = 'A';
    printf("%s %zu %s %.3s\n", text, sizeof text, ptr + 5, exact);
    return 0;
}
