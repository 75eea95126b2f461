// Copies as much as fits.
#include <stdio.h>

struct record { int id; char name[12]; };

int main(void) {
    struct record r = {1, "abc"};
    const char *s = "a name that is too long";
    unsigned i = 0;
    for (; s[i] && i < sizeof r.name - 1; i++)
        r.name[i] = s[i];
    r.name[i] = 0;
    printf("%d %s\n", r.id, r.name);
    return 0;
}
