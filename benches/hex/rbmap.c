// P2: a map as a red-black tree with parent pointers. Leaves are null, and count as black.
#include "subject.h"
#include <limits.h>

#ifndef LIMIT
#define LIMIT 3 // keys of the largest map, where inputs are bounded by `small`
#endif

enum color { RED, BLACK };

struct node {
  int key, value;
  enum color color;
  struct node *parent, *left, *right;
};

struct map {
  struct node *root;
  unsigned size;
};

#define LOW ((long)INT_MIN - 1)
#define HIGH ((long)INT_MAX + 1)

// The black nodes on every way down, or -1. Bounds of keys end it on any heap: a node that it met again would be out of them.
static int black_height(const struct node *p, const struct node *parent, long low, long high, unsigned *n) {
  if (!p)
    return 0;
  if (p->parent != parent || p->key <= low || p->key >= high)
    return -1;
  if (p->color != BLACK && (p->color != RED || !parent || parent->color == RED))
    return -1;
  ++*n;
  int left = black_height(p->left, p, low, p->key, n);
  if (left < 0 || black_height(p->right, p, p->key, high, n) != left)
    return -1;
  return left + (p->color == BLACK);
}

int ok(const struct map *s) {
  unsigned n = 0;
  return s && black_height(s->root, NULL, LOW, HIGH, &n) >= 0 && n == s->size;
}

int small(const struct map *s) { return s && s->size <= LIMIT && ok(s); }

// What is found on a walk of the part that is decided.
struct seen {
  unsigned n;
  int is_open;
  int height; // black nodes on the ways down that end, or -1
};

// The same as `ok` for a heap that is partly decided.
static int maybe_subtree(const struct node *p, const struct node *parent, long low, long high, int height,
                         struct seen *seen) {
  if (!spelunk_is_decided(p)) {
    seen->is_open = 1;
    return 1;
  }
  if (!p) {
    if (seen->height < 0)
      seen->height = height;
    return seen->height == height;
  }
  if (spelunk_is_decided(p->parent) && p->parent != parent)
    return 0;
  if (p->key <= low || p->key >= high)
    return 0;
  if (p->color != BLACK && (p->color != RED || !parent || parent->color == RED))
    return 0;
  seen->n++;
  height += p->color == BLACK;
  return maybe_subtree(p->left, p, low, p->key, height, seen) && maybe_subtree(p->right, p, p->key, high, height, seen);
}

int maybe_ok(const struct map *s) {
  if (!spelunk_is_decided(s))
    return 1;
  struct seen seen = {0, 0, -1};
  if (!s || !maybe_subtree(s->root, NULL, LOW, HIGH, 0, &seen))
    return 0;
  return seen.is_open ? s->size >= seen.n : s->size == seen.n;
}

// Whether some way down ends in what is decided.
static int has_leaf(const struct node *p) {
  return spelunk_is_decided(p) && (!p || has_leaf(p->left) || has_leaf(p->right));
}

// The black nodes on the first of them, as one number whatever the colors are.
static int leaf_height(const struct node *p) {
  int height = 0;
  while (p) {
    height += p->color == BLACK;
    p = has_leaf(p->left) ? p->left : p->right;
  }
  return height;
}

// For heaps whose shape is valid: keys, colors and the size as one condition, without a decision about any of them. Ways that
// are open can have more black nodes, never fewer, than those that have ended.
static int subtree_numbers(const struct node *p, int is_below_red, long low, long high, int height, int leaf,
                           struct seen *seen) {
  if (!spelunk_is_decided(p)) {
    seen->is_open = 1;
    return seen->height < 0 || height <= leaf;
  }
  if (!p)
    return height == leaf;
  seen->n++;
  int is_red = p->color == RED, is_black = p->color == BLACK;
  int here = (low < p->key) & (p->key < high) & (is_black | (is_red & !is_below_red));
  int left = subtree_numbers(p->left, is_red, low, p->key, height + is_black, leaf, seen);
  int right = subtree_numbers(p->right, is_red, p->key, high, height + is_black, leaf, seen);
  return here & left & right;
}

int numbers_ok(const struct map *s) {
  if (!spelunk_is_decided(s))
    return 1;
  int has_any = has_leaf(s->root);
  struct seen seen = {0, 0, has_any ? 0 : -1};
  int tree = subtree_numbers(s->root, 1, LOW, HIGH, 0, has_any ? leaf_height(s->root) : 0, &seen);
  return tree & (seen.is_open ? s->size >= seen.n : s->size == seen.n);
}

static enum color color_of(const struct node *p) { return p ? p->color : BLACK; }
static struct node *parent_of(struct node *p) { return p ? p->parent : NULL; }
static struct node *left_of(struct node *p) { return p ? p->left : NULL; }
static struct node *right_of(struct node *p) { return p ? p->right : NULL; }
static void set_color(struct node *p, enum color color) {
  if (p)
    p->color = color;
}

static struct node *find(struct map *s, int key) {
  struct node *p = s->root;
  while (p && p->key != key)
    p = key < p->key ? p->left : p->right;
  return p;
}

// Puts another node, or none, where p hangs.
static void replace(struct map *s, struct node *p, struct node *by) {
  if (!p->parent)
    s->root = by;
  else if (p == p->parent->left)
    p->parent->left = by;
  else
    p->parent->right = by;
  if (by)
    by->parent = p->parent;
}

static void rotate_left(struct map *s, struct node *p) {
  if (!p)
    return;
  struct node *top = p->right;
  p->right = top->left;
  if (top->left)
    top->left->parent = p;
  replace(s, p, top);
  top->left = p;
  p->parent = top;
}

static void rotate_right(struct map *s, struct node *p) {
  if (!p)
    return;
  struct node *top = p->left;
  p->left = top->right;
  if (top->right)
    top->right->parent = p;
  replace(s, p, top);
  top->right = p;
  p->parent = top;
}

static void fix_put(struct map *s, struct node *p) {
  while (p && p != s->root && p->parent->color == RED) {
    struct node *parent = parent_of(p), *grand = parent_of(parent);
    int on_left = parent == left_of(grand);
    struct node *uncle = on_left ? right_of(grand) : left_of(grand);
    if (color_of(uncle) == RED) {
      set_color(parent, BLACK);
      set_color(uncle, BLACK);
      set_color(grand, RED);
      p = grand;
      continue;
    }
    if (on_left && p == right_of(parent)) {
      p = parent;
      rotate_left(s, p);
    } else if (!on_left && p == left_of(parent)) {
      p = parent;
      rotate_right(s, p);
    }
    set_color(parent_of(p), BLACK);
    set_color(grand, RED);
    if (on_left)
      rotate_right(s, grand);
    else
      rotate_left(s, grand);
  }
  s->root->color = BLACK;
}

int put(struct map *s, int key) {
  struct node *parent = NULL;
  struct node **link = &s->root;
  while (*link) {
    parent = *link;
    if (key == parent->key) {
      parent->value = key;
      return 0;
    }
    link = key < parent->key ? &parent->left : &parent->right;
  }
  struct node *p = malloc(sizeof *p);
  if (!p)
    abort();
  *p = (struct node){key, key, RED, parent, NULL, NULL};
  *link = p;
  s->size++;
  fix_put(s, p);
  return 1;
}

// Repairs a tree in which the ways through p lack a black node.
static void fix_remove(struct map *s, struct node *p) {
  while (p != s->root && color_of(p) == BLACK) {
    struct node *parent = parent_of(p);
    int on_left = p == left_of(parent);
    struct node *sibling = on_left ? right_of(parent) : left_of(parent);
    if (color_of(sibling) == RED) {
      set_color(sibling, BLACK);
      set_color(parent, RED);
      if (on_left)
        rotate_left(s, parent);
      else
        rotate_right(s, parent);
      sibling = on_left ? right_of(parent) : left_of(parent);
    }
    struct node *near = on_left ? left_of(sibling) : right_of(sibling);
    struct node *far = on_left ? right_of(sibling) : left_of(sibling);
    if (color_of(near) == BLACK && color_of(far) == BLACK) {
      set_color(sibling, RED);
      p = parent;
      continue;
    }
    if (color_of(far) == BLACK) {
      set_color(near, BLACK);
      set_color(sibling, RED);
      if (on_left)
        rotate_right(s, sibling);
      else
        rotate_left(s, sibling);
      far = sibling;
      sibling = near;
    }
    set_color(sibling, color_of(parent));
    set_color(parent, BLACK);
    set_color(far, BLACK);
    if (on_left)
      rotate_left(s, parent);
    else
      rotate_right(s, parent);
    p = s->root;
  }
  set_color(p, BLACK);
}

int remove_key(struct map *s, int key) {
  struct node *p = find(s, key);
  if (!p)
    return 0;
  if (p->left && p->right) {
    struct node *successor = p->right;
    while (successor->left)
      successor = successor->left;
    p->key = successor->key;
    p->value = successor->value;
    p = successor;
  }
  struct node *child = p->left ? p->left : p->right;
  if (child) {
    replace(s, p, child);
    if (p->color == BLACK)
      fix_remove(s, child);
  } else {
    // A node without children stands for itself while the tree is repaired.
    if (p->color == BLACK)
      fix_remove(s, p);
    replace(s, p, NULL);
  }
  free(p);
  s->size--;
  return 1;
}

int get(struct map *s, int key) {
  struct node *p = find(s, key);
  return p ? p->value : -1;
}

static struct node *leftmost(struct node *p) {
  while (p && p->left)
    p = p->left;
  return p;
}

static struct node *successor(struct node *p) {
  if (p->right)
    return leftmost(p->right);
  while (p->parent && p == p->parent->right)
    p = p->parent;
  return p->parent;
}

int contains_value(struct map *s, int value) {
  for (struct node *p = leftmost(s->root); p; p = successor(p)) {
    if (p->value == value)
      return 1;
  }
  return 0;
}

int first_key(struct map *s, int otherwise) {
  struct node *p = leftmost(s->root);
  return p ? p->key : otherwise;
}

int last_key(struct map *s, int otherwise) {
  struct node *p = s->root;
  while (p && p->right)
    p = p->right;
  return p ? p->key : otherwise;
}

static void free_subtree(struct node *p) {
  if (!p)
    return;
  free_subtree(p->left);
  free_subtree(p->right);
  free(p);
}

int clear(struct map *s, int unused) {
  (void)unused;
  free_subtree(s->root);
  s->root = NULL;
  s->size = 0;
  return 1;
}

#define PAIR_OF(a, b) PAIR(struct map *s, a, b)
#define PAIRS(a)                                                                                                       \
  PAIR_OF(a, put)                                                                                                      \
  PAIR_OF(a, remove_key)                                                                                               \
  PAIR_OF(a, get) PAIR_OF(a, contains_value) PAIR_OF(a, first_key) PAIR_OF(a, last_key) PAIR_OF(a, clear)

PAIRS(put)
PAIRS(remove_key)
PAIRS(get)
PAIRS(contains_value)
PAIRS(first_key)
PAIRS(last_key)
PAIRS(clear)

#ifdef SELFTEST
static void check_node(struct map *s, struct node *p) {
  if (!p)
    return;
  struct node other = {p->key, 0, BLACK, p, NULL, NULL};
  REFUSED(p->parent, &other);
  REFUSED(p->left, p);
  REFUSED(p->right, s->root);
  REFUSED(p->left, &other);
  REFUSED(p->color, !p->color);
  REFUSED(p->color, 7);
  WITH(p->color, 7, EXPECT(!numbers_ok(s)); EXPECT(!maybe_ok(s)));
  WITH(p->color, !p->color, EXPECT(!numbers_ok(s)); EXPECT(!maybe_ok(s)));
  if (p->left) {
    REFUSED(p->key, p->left->key);
    WITH(p->key, p->left->key, EXPECT(!numbers_ok(s)); EXPECT(!maybe_ok(s)));
  }
  OPEN(p->parent);
  OPEN(p->left);
  OPEN(p->right);
  WITH(p->left, UNDECIDED, OPEN(p->right));
  WITH(p->left, UNDECIDED, WITH(s->size, 0, EXPECT(!numbers_ok(s)); EXPECT(!maybe_ok(s))));
  check_node(s, p->left);
  check_node(s, p->right);
}

static void check(struct map *s) {
  EXPECT(ok(s));
  EXPECT(maybe_ok(s));
  EXPECT(numbers_ok(s));
  REFUSED(s->size, s->size + 1);
  OPEN(s->root);
  check_node(s, s->root);
}

int main(void) {
  struct map map = {NULL, 0};
  struct map *s = &map;
  int (*operations[])(struct map *, int) = {put, put, put, remove_key, remove_key, get, contains_value, clear};
  for (int i = 0; i < 4000; i++) {
    check(s);
    int key = next_random() % 24, was_there = get(s, key) == key;
    int operation = next_random() % (i % 200 ? 7 : 8);
    int result = operations[operation](s, key);
    EXPECT(operation > 4 || (result == (operation < 3 ? !was_there : was_there)));
  }
  clear(s, 0);
  EXPECT(put(s, 3) && put(s, 1) && put(s, 2) && first_key(s, 0) == 1 && last_key(s, 0) == 3 && contains_value(s, 2));
  EXPECT(put_then_remove_key(s, 5, 5) == 2);
  check(s);
  clear(s, 0);
  return 0;
}
#endif
