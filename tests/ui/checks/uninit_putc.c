// putc into a stream that has room.
#include <stdio.h>

int main(void) {
    char word[4];
    word[0] = 'a';
    putchar(word[0]);
    putchar(word[1]); //~ BUG(uninitialised)
    return 0;
}
