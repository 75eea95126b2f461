// Hash tables and queues of <search.h>.

#include "rt.h"

#include <search.h>

// A slot of the table, which is free when it has no key.
struct _ENTRY {
  ENTRY entry;
};

int hcreate_r(size_t n, struct hsearch_data *table) {
  // Odd, and never full, so that every search ends.
  table->size = (unsigned)(n < 3 ? 3 : n) | 1u;
  table->size += table->size / 4;
  table->filled = 0;
  table->table = calloc(table->size, sizeof *table->table);
  return table->table != NULL;
}

void hdestroy_r(struct hsearch_data *table) {
  free(table->table);
  table->table = NULL;
}

static unsigned hash(const char *key) {
  unsigned value = 0;
  for (; *key != '\0'; key++) value = value * 31 + (unsigned char)*key;
  return value;
}

// The slot with the key, or the free one where it belongs; null when there is neither.
static ENTRY *find_slot(const struct hsearch_data *table, const char *key) {
  unsigned start = hash(key) % table->size;
  for (unsigned i = 0; i < table->size; i++) {
    ENTRY *slot = &table->table[(start + i) % table->size].entry;
    if (!slot->key || strcmp(slot->key, key) == 0) return slot;
  }
  return NULL;
}

int hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table) {
  ENTRY *slot = find_slot(table, item.key);
  *found = NULL;
  if (!slot || (!slot->key && action == FIND)) {
    errno = action == FIND ? ESRCH : ENOMEM;
    return 0;
  }
  if (!slot->key) {
    *slot = item;
    table->filled++;
  }
  *found = slot;
  return 1;
}

static struct hsearch_data only_table;

int hcreate(size_t n) { return only_table.table ? 0 : hcreate_r(n, &only_table); }
void hdestroy(void) { hdestroy_r(&only_table); }

ENTRY *hsearch(ENTRY item, ACTION action) {
  ENTRY *found;
  hsearch_r(item, action, &found, &only_table);
  return found;
}

// ---- Queues

struct link {
  struct link *next, *previous;
};

void insque(void *element, void *before) {
  struct link *link = element, *previous = before;
  link->previous = previous;
  link->next = previous ? previous->next : NULL;
  if (previous) previous->next = link;
  if (link->next) link->next->previous = link;
}

void remque(void *element) {
  struct link *link = element;
  if (link->next) link->next->previous = link->previous;
  if (link->previous) link->previous->next = link->next;
}
