// The note shows the variable that is meant, not another one of its function.
#include <string.h>

int main(void) {
    char first[3][10] = {{"fo"}};
    int second[4] = {0};
    char word[10]; //~ NOTE(declared here)
    word[0] = 'f';
    second[1] = strcmp(word, first[0]); //~ BUG(uninitialised)
    return second[1];
}
