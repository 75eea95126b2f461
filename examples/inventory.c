// Keeps an inventory in a list and prints it, cheapest item first. Natively it seems to work; run it with
//
//     spelunk exec examples/inventory.c
//
// to see what is wrong with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    char *name;
    int price;
    struct item *next;
};

// The part of a `name=price` entry before the sign.
static char *copy_name(const char *entry) {
    size_t length = strcspn(entry, "=");
    char *name = malloc(length);
    memcpy(name, entry, length);
    return name;
}

static struct item *insert(struct item *list, const char *entry) {
    struct item *item = malloc(sizeof *item);
    item->name = copy_name(entry);
    item->price = atoi(strchr(entry, '=') + 1);

    struct item **at = &list;
    while (*at != NULL && (*at)->price < item->price) {
        at = &(*at)->next;
    }
    item->next = *at;
    *at = item;
    return list;
}

static void print(const struct item *list) {
    for (; list != NULL; list = list->next) {
        printf("%5d  %s\n", list->price, list->name);
    }
}

static void discard(struct item *list) {
    while (list != NULL) {
        struct item *next = list->next;
        free(list->name);
        free(list);
        list = next;
    }
}

int main(int argc, char **argv) {
    static char *defaults[] = {"lantern=40", "rope=15", "helmet=60"};
    char **entries = argc > 1 ? argv + 1 : defaults;
    int n = argc > 1 ? argc - 1 : 3;

    struct item *list = NULL;
    for (int i = 0; i < n; i++) {
        list = insert(list, entries[i]);
    }
    print(list);
    discard(list);
    return 0;
}
