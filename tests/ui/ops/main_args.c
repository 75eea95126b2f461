// argc, argv ending in a null pointer, arguments with spaces and none, modifying them.
// args: one "two words" '' -x=3
#include <stdio.h>

int main(int argc, char **argv) {
    printf("%d\n", argc);
    for (int i = 1; i < argc; i++)
        printf("[%s]\n", argv[i]);
    argv[1][0] = 'O';
    printf("%s %d\n", argv[1], argv[argc] == NULL);
    return 0;
}
