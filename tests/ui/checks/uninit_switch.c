// A switch on a heap word that nobody wrote.
#include <stdlib.h>

struct token { int kind, line; };

int main(void) {
    struct token *t = malloc(sizeof *t);
    t->line = 1;
    switch (t->kind) { //~ BUG(uninitialised)
    case 0: return 1;
    case 1: return 2;
    }
    free(t);
    return 0;
}
