// Changes a string literal in place.
#include <ctype.h>

static void capitalise(char *s) {
    *s = (char)toupper(*s); //~ BUG(write-to-constant)
}

int main(void) {
    char array[] = "fine";
    capitalise(array);
    capitalise("wrong"); //~ NOTE(main)
    return 0;
}
