// Every lost block is reported at its allocation, but what only a lost block points to belongs to that one.
// check: leak
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
    struct node *list = malloc(sizeof *list); //~ BUG(leak)
    list->next = malloc(sizeof *list);
    list->next->next = NULL;
    char *text = malloc(5); //~ BUG(leak)
    list = NULL;
    text = NULL;
    return 0;
}
