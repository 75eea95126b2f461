// <search.h>: binary trees, hash table, linear search, queues.
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_string(const void *a, const void *b) { return strcmp(a, b); }
static void visit(const void *node, VISIT which, int depth) {
    (void)depth;
    if (which == postorder || which == leaf)
        printf("%s ", *(const char *const *)node);
}

int main(void) {
    void *root = NULL;
    const char *words[] = {"m", "c", "x", "a", "e", "z", "c"};
    for (int i = 0; i < 7; i++)
        tsearch(words[i], &root, by_string);
    twalk(root, visit);
    printf("%d %d\n", tfind("e", &root, by_string) != NULL, tfind("q", &root, by_string) == NULL);
    tdelete("c", &root, by_string);
    twalk(root, visit);
    putchar('\n');
    while (root)
        tdelete(*(const char **)root, &root, by_string);
    hcreate(20);
    static char keys[5][4];
    for (long i = 0; i < 5; i++) {
        sprintf(keys[i], "k%ld", i);
        hsearch((ENTRY){keys[i], (void *)(i * 10)}, ENTER);
    }
    ENTRY *found = hsearch((ENTRY){"k3", NULL}, FIND);
    printf("%ld %d\n", (long)found->data, hsearch((ENTRY){"zz", NULL}, FIND) == NULL);
    hdestroy();
    char table[4][4] = {"ab", "cd"};
    size_t n = 2;
    lfind("cd", table, &n, sizeof table[0], by_string);
    lsearch("ef\0", table, &n, sizeof table[0], by_string);
    printf("%zu %s\n", n, table[2]);
    return 0;
}
