// qsort of several element types and sizes, bsearch, and comparison counts that end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { char name[8]; int age; };

static int by_int(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int by_string(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_age(const void *a, const void *b) {
    const struct person *p = a, *q = b;
    return p->age != q->age ? q->age - p->age : strcmp(p->name, q->name);
}
static int by_char(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int main(void) {
    int v[50];
    unsigned seed = 12345;
    for (int i = 0; i < 50; i++)
        v[i] = (int)((seed = seed * 1103515245 + 12345) >> 16) % 100;
    qsort(v, 50, sizeof *v, by_int);
    for (int i = 0; i < 50; i++)
        printf("%d ", v[i]);
    int key = v[33], absent = 1000, *hit = bsearch(&key, v, 50, sizeof *v, by_int);
    printf("\n%d %d %d\n", *hit == key, bsearch(&absent, v, 50, sizeof *v, by_int) == NULL, bsearch(&key, v, 0, sizeof *v, by_int) == NULL);
    const char *words[] = {"pear", "apple", "fig", "banana", "cherry"};
    qsort(words, 5, sizeof *words, by_string);
    for (int i = 0; i < 5; i++)
        printf("%s ", words[i]);
    struct person people[] = {{"ann", 30}, {"bob", 25}, {"cid", 30}, {"dan", 41}};
    qsort(people, 4, sizeof *people, by_age);
    for (int i = 0; i < 4; i++)
        printf("%s%d ", people[i].name, people[i].age);
    char text[] = "sorting bytes";
    qsort(text, strlen(text), 1, by_char);
    qsort(text, 0, 1, by_char);
    printf("[%s]\n", text);
    return 0;
}
