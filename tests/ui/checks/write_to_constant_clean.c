// A const view of writable memory may be written through another pointer.
#include <stdio.h>

static char text[] = "text";

int main(void) {
    const char *view = text;
    *(char *)view = 'T';
    const int local = 3;
    printf("%s %d\n", view, local);
    return 0;
}
