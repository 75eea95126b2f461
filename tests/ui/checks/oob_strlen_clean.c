// Bounded reads of an array without terminator.
#include <stdio.h>
#include <string.h>

int main(void) {
    char tag[4] = {'a', 'b', 'c', 'd'};
    printf("%zu %.4s %d\n", strnlen(tag, 4), tag, strncmp(tag, "abcdef", 4));
    return 0;
}
