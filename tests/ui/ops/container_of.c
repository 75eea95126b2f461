// An intrusive list: container_of, insertion, removal while walking, reversal.
#include <stddef.h>
#include <stdio.h>

struct list { struct list *next, *prev; };
struct item { int id; struct list by_id; const char *name; struct list by_name; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

static void init(struct list *l) { l->next = l->prev = l; }
static void insert(struct list *l, struct list *after) {
    l->next = after->next;
    l->prev = after;
    after->next->prev = l;
    after->next = l;
}
static void drop(struct list *l) {
    l->prev->next = l->next;
    l->next->prev = l->prev;
}

int main(void) {
    struct list ids, names;
    struct item items[5] = {{.id = 3, .name = "c"}, {.id = 1, .name = "e"}, {.id = 2, .name = "a"}, {.id = 5, .name = "b"}, {.id = 4, .name = "d"}};
    init(&ids);
    init(&names);
    for (int i = 0; i < 5; i++) {
        struct list *at = &ids;
        while (at->next != &ids && container_of(at->next, struct item, by_id)->id < items[i].id)
            at = at->next;
        insert(&items[i].by_id, at);
        for (at = &names; at->next != &names && container_of(at->next, struct item, by_name)->name[0] < items[i].name[0];)
            at = at->next;
        insert(&items[i].by_name, at);
    }
    for (struct list *l = ids.next, *n; l != &ids; l = n) {
        n = l->next;
        struct item *it = container_of(l, struct item, by_id);
        printf("%d%s ", it->id, it->name);
        if (it->id % 2 == 0)
            drop(l);
    }
    for (struct list *l = ids.prev; l != &ids; l = l->prev)
        printf("%d ", container_of(l, struct item, by_id)->id);
    for (struct list *l = names.next; l != &names; l = l->next)
        printf("%s", container_of(l, struct item, by_name)->name);
    puts("");
    return 0;
}
