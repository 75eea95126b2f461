// memcpy to a null pointer.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *to = getenv("NO_SUCH_VARIABLE_HERE");
    memcpy(to, "abc", 4); //~ BUG(null-deref)
    return 0;
}
