// Static locals, global initialisers with addresses, const data, shadowing.
#include <stdio.h>

static int counter(void) {
    static int n = 10;
    return n++;
}
static const char *rotate(void) {
    static const char *const names[] = {"one", "two", "three"};
    static unsigned i;
    return names[i++ % 3];
}
int global = 3;
int *const where = &global;
static int values[5] = {1, 2, 3};
static int *const inside = &values[2];
static const struct { const char *s; int *p; long off; } table[] = {{"a", &values[1], sizeof values}, {"b", values + 4, -1}};
static char **self_ref[2] = {(char **)self_ref, 0};

int main(void) {
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += counter();
    printf("%d %s %s %s %s\n", sum, rotate(), rotate(), rotate(), rotate());
    *where += 4;
    inside[1] = 7;
    *table[1].p = 9;
    printf("%d %d %d %s %ld %d\n", global, values[3], values[4], table[0].s, table[0].off, *table[0].p);
    int global = 99;
    {
        extern int global;
        printf("%d\n", global);
    }
    printf("%d %d\n", global, self_ref[0] == (char **)&self_ref[0]);
    return 0;
}
