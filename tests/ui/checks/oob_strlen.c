// strlen of an array that has no terminator.
#include <string.h>

int main(void) {
    char tag[4] = {'a', 'b', 'c', 'd'};
    return (int)strlen(tag); //~ BUG(out-of-bounds)
}
