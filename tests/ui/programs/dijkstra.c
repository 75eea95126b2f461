// Shortest paths over a generated graph: adjacency lists, a binary heap with decrease-key, and path printing.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 60 };
struct edge { int to, weight; struct edge *next; };

static struct edge *graph[NODES];
static int dist[NODES], from[NODES];
static struct heap { int node[NODES], at[NODES], n; } heap;

static void connect(int a, int b, int weight) {
    struct edge *e = malloc(sizeof *e);
    *e = (struct edge){b, weight, graph[a]};
    graph[a] = e;
}

static void set(int i, int node) {
    heap.node[i] = node;
    heap.at[node] = i;
}

static void up(int i) {
    int node = heap.node[i];
    for (int parent; i > 0 && dist[heap.node[parent = (i - 1) / 2]] > dist[node]; i = parent)
        set(i, heap.node[parent]);
    set(i, node);
}

static void down(int i) {
    int node = heap.node[i];
    for (int child; (child = 2 * i + 1) < heap.n; i = child) {
        if (child + 1 < heap.n && dist[heap.node[child + 1]] < dist[heap.node[child]])
            child++;
        if (dist[heap.node[child]] >= dist[node])
            break;
        set(i, heap.node[child]);
    }
    set(i, node);
}

static int pop(void) {
    int top = heap.node[0];
    set(0, heap.node[--heap.n]);
    if (heap.n)
        down(0);
    heap.at[top] = -1;
    return top;
}

static void shortest(int source) {
    heap.n = NODES;
    for (int i = 0; i < NODES; i++) {
        dist[i] = i == source ? 0 : INT_MAX;
        from[i] = -1;
        set(i, i);
    }
    up(heap.at[source]);
    while (heap.n) {
        int u = pop();
        if (dist[u] == INT_MAX)
            return;
        for (struct edge *e = graph[u]; e; e = e->next)
            if (heap.at[e->to] >= 0 && dist[u] + e->weight < dist[e->to]) {
                dist[e->to] = dist[u] + e->weight;
                from[e->to] = u;
                up(heap.at[e->to]);
            }
    }
}

static void path(int node) {
    if (from[node] >= 0)
        path(from[node]);
    printf("%d ", node);
}

int main(void) {
    unsigned seed = 4;
    for (int i = 0; i < 150; i++) {
        seed = seed * 1103515245 + 12345;
        int a = (int)(seed >> 8) % (NODES - 2), b = (int)(seed >> 16) % (NODES - 2);
        connect(a, b, (int)(seed >> 24) % 30 + 1);
    }
    shortest(0);
    for (int i = 0; i < NODES; i++)
        if (dist[i] == INT_MAX)
            printf("%d:- ", i);
        else
            printf("%d:%d ", i, dist[i]);
    putchar('\n');
    int far = 0;
    for (int i = 0; i < NODES; i++)
        if (dist[i] != INT_MAX && dist[i] > dist[far])
            far = i;
    path(far);
    putchar('\n');
    for (int i = 0; i < NODES; i++)
        for (struct edge *e = graph[i], *next; e; e = next) {
            next = e->next;
            free(e);
        }
    return 0;
}
