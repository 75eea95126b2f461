// The container of a null member: the address is below zero, the pointer is null all the same.
#include <stddef.h>

struct link { struct link *next; };
struct item { int value; struct link link; };

int main(void) {
    struct link list = {NULL};
    struct item *first = (struct item *)((char *)list.next - offsetof(struct item, link));
    return first->value; //~ BUG(null-deref)
}
