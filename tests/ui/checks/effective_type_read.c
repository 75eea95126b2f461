// An integer in allocated memory, read as a float.
// check: effective-type
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 7;
    float f = *(float *)p; //~ BUG(effective-type)
    free(p);
    return f > 1;
}
