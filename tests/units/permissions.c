// A table of permissions with three levels: the root covers all addresses, and an entry holds a permission for its whole block
// or leads to a table for parts of it. An insertion takes from its range what it can set at a level, and calls itself for the rest.
// Lengths that are no multiple of a word are meant never to come. One that comes when there is a leaf table already is handed on for
// ever: down to the leaf, which sets whole words only, and with what is left to the root again.
// trial: sequence=reset:protect length=3 check=termination fault=LENGTH expect=stack-exhausted at=below says=the_same_state_every_3_calls
// trial: sequence=reset:protect length=3 check=termination expect=clean

enum { WORD = 4, FAN = 4, MOST_TABLES = 3 };

struct table {
  struct table *below[FAN]; // none: the permission is for the whole block
  unsigned char allowed[FAN];
};

struct permissions {
  struct table tables[MOST_TABLES], *root;
  unsigned n_tables;
};

static struct table *make(struct permissions *p, unsigned char allowed) {
  if (p->n_tables == MOST_TABLES)
    return 0;
  struct table *made = &p->tables[p->n_tables++];
  for (int i = 0; i < FAN; i++) {
    made->below[i] = 0;
    made->allowed[i] = allowed;
  }
  return made;
}

void reset(struct permissions *p) {
  p->n_tables = 0;
  p->root = make(p, 0);
}

// The bytes that an entry stands for: of the root, of a table in the middle, of a leaf.
static unsigned block(int level) { return level == 0 ? WORD * FAN * FAN : level == 1 ? WORD * FAN : WORD; }

static int insert(struct permissions *p, struct table *t, int level, unsigned base, unsigned *len, unsigned char allowed,
                  int *is_set) {
  if (*len == 0)
    return 1;
  unsigned idx = base / block(level) % FAN;
  int is_part_set = 0;
  if (level < 2 && *len < block(level)) {
    if (!t->below[idx]) {
      t->below[idx] = make(p, t->allowed[idx]);
      if (!t->below[idx])
        return 0;
      if (level == 1) { // in a new leaf, the rest of a word belongs to it
        t->below[idx]->allowed[base / WORD % FAN] = allowed;
        return *is_set = 1;
      }
    }
    return insert(p, t->below[idx], level + 1, base, len, allowed, &is_part_set); //~ below
  }
  for (; idx < FAN && *len >= block(level); idx++) {
    t->below[idx] = 0;
    t->allowed[idx] = allowed;
    base += block(level);
    *len -= block(level);
    *is_set = 1;
  }
  return insert(p, p->root, 0, base, len, allowed, &is_part_set);
}

int protect(struct permissions *p, unsigned char base, unsigned char len, unsigned char allowed) {
  unsigned left = len % 8;
  int is_set = 0;
  if (base % WORD != 0 || base > 8)
    return -1;
#ifndef FAULT_LENGTH
  if (left % WORD != 0)
    return -1;
#endif
  return insert(p, p->root, 0, base, &left, allowed, &is_set);
}
