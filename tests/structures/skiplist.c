// A skip list of keys: every node is on level 0, and a coin says how many levels above hold it too.
//
// trial: entry=skip_insert assume=skip_small ensure=skip_ok check=leak expect=clean branches=95 unreachable=1
// trial: entry=skip_remove assume=skip_small ensure=skip_ok check=leak expect=clean branches=95
// trial: entry=skip_find assume=skip_small ensure=skip_ok expect=clean branches=95
// trial: entry=skip_max assume=skip_small ensure=skip_ok expect=clean branches=95
// trial: entry=skip_remove_below assume=skip_small ensure=skip_ok check=leak expect=clean branches=95
// trial: entry=skip_insert assume=skip_ok ensure=skip_ok depth=40 expect=clean
//
// trial: entry=skip_insert assume=skip_small ensure=skip_ok fault=OFF_BY_ONE expect=out-of-bounds at=levels
// trial: entry=skip_insert assume=skip_small ensure=skip_ok fault=COMPARE expect=ensure
// trial: entry=skip_insert assume=skip_small ensure=skip_ok check=leak fault=LEAK expect=leak
// trial: entry=skip_remove assume=skip_small ensure=skip_ok fault=UPPER_LEVELS expect=ensure
#include <stdlib.h>

#define LEVELS 3

#ifndef LIMIT
#define LIMIT 3 // keys of the longest list that a trial starts from
#endif

struct snode {
  int key;
  int levels;
  struct snode *next[LEVELS];
};

struct skiplist {
  struct snode *head[LEVELS];
  unsigned n;
  unsigned coins; // tossed one by one from the low end
};

// One walk along level 0 sees that the upper levels hold what they should, in the same order. Keys ascend strictly,
// which ends it on a cyclic chain.
int skip_ok(const struct skiplist *l) {
  if (!l)
    return 0;
  struct snode *const *pending[LEVELS];
  for (int i = 0; i < LEVELS; i++)
    pending[i] = &l->head[i];
  const struct snode *prev = NULL;
  unsigned n = 0;
  for (const struct snode *p = l->head[0]; p; p = p->next[0]) {
    if (n++ == l->n || (prev && prev->key >= p->key))
      return 0;
    if (p->levels < 1 || p->levels > LEVELS)
      return 0;
    for (int i = 0; i < p->levels; i++) {
      if (*pending[i] != p)
        return 0;
      pending[i] = &p->next[i];
    }
    for (int i = p->levels; i < LEVELS; i++) {
      if (p->next[i])
        return 0;
    }
    prev = p;
  }
  for (int i = 0; i < LEVELS; i++) {
    if (*pending[i])
      return 0;
  }
  return n == l->n;
}

int skip_small(const struct skiplist *l) { return (!l || l->n <= LIMIT) && skip_ok(l); }

// For each level the links of the last node with a lesser key, or those of the list itself.
static void find_path(struct skiplist *l, int key, struct snode **path[LEVELS]) {
  struct snode **links = l->head;
  for (int i = LEVELS - 1; i >= 0; i--) {
#ifdef FAULT_COMPARE
    while (links[i] && links[i]->key <= key)
#else
    while (links[i] && links[i]->key < key)
#endif
      links = links[i]->next;
    path[i] = links;
  }
}

static int toss_levels(struct skiplist *l) {
  int levels = 1;
#ifdef FAULT_OFF_BY_ONE
  while (levels <= LEVELS && l->coins & 1) {
#else
  while (levels < LEVELS && l->coins & 1) {
#endif
    levels++;
    l->coins >>= 1;
  }
  l->coins >>= 1;
  return levels;
}

static struct snode *new_snode(int key, int levels) {
  struct snode *p = calloc(1, sizeof *p);
  if (!p)
    abort();
  p->key = key;
  p->levels = levels;
  return p;
}

// Returns whether the key is new.
int skip_insert(struct skiplist *l, int key) {
  struct snode **path[LEVELS];
  find_path(l, key, path);
#ifdef FAULT_LEAK
  struct snode *p = new_snode(key, toss_levels(l));
  if (path[0][0] && path[0][0]->key == key)
    return 0;
#else
  if (path[0][0] && path[0][0]->key == key)
    return 0;
  struct snode *p = new_snode(key, toss_levels(l));
#endif
  for (int i = 0; i < p->levels; i++) {
    p->next[i] = path[i][i]; //~ levels
    path[i][i] = p;
  }
  l->n++;
  return 1;
}

int skip_remove(struct skiplist *l, int key) {
  struct snode **path[LEVELS];
  find_path(l, key, path);
  struct snode *p = path[0][0];
  if (!p || p->key != key)
    return 0;
#ifdef FAULT_UPPER_LEVELS
  path[0][0] = p->next[0];
#else
  for (int i = 0; i < p->levels; i++)
    path[i][i] = p->next[i];
#endif
  free(p);
  l->n--;
  return 1;
}

int skip_find(const struct skiplist *l, int key) {
  struct snode *const *links = l->head;
  for (int i = LEVELS - 1; i >= 0; i--) {
    while (links[i] && links[i]->key < key)
      links = links[i]->next;
  }
  return links[0] && links[0]->key == key;
}

// The greatest key, or the given one in an empty list.
int skip_max(const struct skiplist *l, int otherwise) {
  struct snode *const *links = l->head;
  int max = otherwise;
  for (int i = LEVELS - 1; i >= 0; i--) {
    while (links[i]) {
      max = links[i]->key;
      links = links[i]->next;
    }
  }
  return max;
}

// Removes all keys that are less than the given one.
void skip_remove_below(struct skiplist *l, int key) {
  while (l->head[0] && l->head[0]->key < key) {
    struct snode *p = l->head[0];
    for (int i = 0; i < p->levels; i++)
      l->head[i] = p->next[i];
    free(p);
    l->n--;
  }
}
