// environ lists NAME=VALUE strings, ends with a null pointer, and holds what the caller set.
// env: SPELUNK_WALK=here
#include <stdio.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
    (void)argc;
    (void)argv;
    int found = 0, in_third = 0, malformed = 0;
    for (char **e = environ; *e; e++) {
        found += strcmp(*e, "SPELUNK_WALK=here") == 0;
        malformed += strchr(*e, '=') == NULL;
    }
    for (char **e = envp; *e; e++)
        in_third += strcmp(*e, "SPELUNK_WALK=here") == 0;
    printf("%d %d %d\n", found, in_third, malformed);
    return 0;
}
