// P3: an AVL tree whose nodes store their heights.
#include "subject.h"
#include <limits.h>

#ifndef LIMIT
#define LIMIT 4 // nodes of the largest tree, where inputs are bounded by `small`
#endif

#define TALLEST 4 // height of any tree: what is open of one that is partly decided has to be built

struct node {
  int key;
  int height;
  struct node *left, *right;
};

struct tree {
  struct node *root;
};

#define LOW ((long)INT_MIN - 1)
#define HIGH ((long)INT_MAX + 1)

static int height(const struct node *p) { return p ? p->height : 0; }

// Heights shrink on the way down, which ends it on any heap; keys between disjoint bounds leave nothing shared.
static int subtree_ok(const struct node *p, long low, long high) {
  if (!p)
    return 1;
  if (p->key <= low || p->key >= high || p->height < 1 || p->height > TALLEST)
    return 0;
  int left = height(p->left), right = height(p->right);
  if (left < 0 || right < 0 || left - right > 1 || right - left > 1)
    return 0;
  if (p->height - 1 != (left > right ? left : right))
    return 0;
  return subtree_ok(p->left, low, p->key) && subtree_ok(p->right, p->key, high);
}

int ok(const struct tree *s) { return s && subtree_ok(s->root, LOW, HIGH); }

static int count(const struct node *p) { return p ? 1 + count(p->left) + count(p->right) : 0; }

int small(const struct tree *s) { return ok(s) && count(s->root) <= LIMIT; }

// The same for a heap that is partly decided.
static int maybe_subtree(const struct node *p, long low, long high) {
  if (!spelunk_is_decided(p) || !p)
    return 1;
  if (p->key <= low || p->key >= high || p->height < 1 || p->height > TALLEST)
    return 0;
  if (spelunk_is_decided(p->left) && spelunk_is_decided(p->right)) {
    int left = height(p->left), right = height(p->right);
    if (left < 0 || right < 0 || left - right > 1 || right - left > 1)
      return 0;
    if (p->height - 1 != (left > right ? left : right))
      return 0;
  } else {
    const struct node *child = spelunk_is_decided(p->left) ? p->left : p->right;
    if (spelunk_is_decided(child) && height(child) >= p->height)
      return 0;
  }
  return maybe_subtree(p->left, low, p->key) && maybe_subtree(p->right, p->key, high);
}

int maybe_ok(const struct tree *s) { return !spelunk_is_decided(s) || (s && maybe_subtree(s->root, LOW, HIGH)); }

// For heaps whose shape is valid: keys and heights as one condition, without a decision about any of them. A child that is
// open may be as high as the other one, or differ by one.
static int subtree_numbers(const struct node *p, long low, long high) {
  if (!spelunk_is_decided(p) || !p)
    return 1;
  int is_left = spelunk_is_decided(p->left), is_right = spelunk_is_decided(p->right);
  int result = (low < p->key) & (p->key < high) & (1 <= p->height) & (p->height <= TALLEST);
  long below = (long)p->height - 1;
  long left = is_left ? height(p->left) : 0, right = is_right ? height(p->right) : 0;
  if (is_left && is_right)
    result &= ((left == below) & ((right == below) | (right == below - 1))) | ((right == below) & (left == below - 1));
  else if (is_left || is_right)
    result &= (left + right == below) | (left + right == below - 1);
  return result & subtree_numbers(p->left, low, p->key) & subtree_numbers(p->right, p->key, high);
}

int numbers_ok(const struct tree *s) { return !spelunk_is_decided(s) || subtree_numbers(s->root, LOW, HIGH); }

static void update(struct node *p) {
  int left = height(p->left), right = height(p->right);
  p->height = 1 + (left > right ? left : right);
}

static struct node *rotate_right(struct node *p) {
  struct node *top = p->left;
  p->left = top->right;
  top->right = p;
  update(p);
  update(top);
  return top;
}

static struct node *rotate_left(struct node *p) {
  struct node *top = p->right;
  p->right = top->left;
  top->left = p;
  update(p);
  update(top);
  return top;
}

static struct node *balance(struct node *p) {
  int difference = height(p->left) - height(p->right);
  if (difference > 1) {
    if (height(p->left->left) < height(p->left->right))
      p->left = rotate_left(p->left);
    return rotate_right(p);
  }
  if (difference < -1) {
    if (height(p->right->right) < height(p->right->left))
      p->right = rotate_right(p->right);
    return rotate_left(p);
  }
  update(p);
  return p;
}

static struct node *insert_into(struct node *p, int key, int *is_new) {
  if (!p) {
    p = malloc(sizeof *p);
    if (!p)
      abort();
    *p = (struct node){key, 1, NULL, NULL};
    *is_new = 1;
    return p;
  }
  if (key == p->key)
    return p;
  if (key < p->key)
    p->left = insert_into(p->left, key, is_new);
  else
    p->right = insert_into(p->right, key, is_new);
  return *is_new ? balance(p) : p;
}

int insert(struct tree *s, int key) {
  int is_new = 0;
  s->root = insert_into(s->root, key, &is_new);
  return is_new;
}

static struct node *remove_least(struct node *p, struct node **least) {
  if (!p->left) {
    *least = p;
    return p->right;
  }
  p->left = remove_least(p->left, least);
  return balance(p);
}

static struct node *remove_from(struct node *p, int key, int *is_found) {
  if (!p)
    return NULL;
  if (key < p->key) {
    p->left = remove_from(p->left, key, is_found);
  } else if (key > p->key) {
    p->right = remove_from(p->right, key, is_found);
  } else {
    *is_found = 1;
    struct node *left = p->left, *right = p->right;
    free(p);
    if (!left || !right)
      return left ? left : right;
    struct node *top;
    right = remove_least(right, &top);
    top->left = left;
    top->right = right;
    return balance(top);
  }
  return *is_found ? balance(p) : p;
}

int remove_key(struct tree *s, int key) {
  int is_found = 0;
  s->root = remove_from(s->root, key, &is_found);
  return is_found;
}

int find(struct tree *s, int key) {
  for (struct node *p = s->root; p; p = key < p->key ? p->left : p->right) {
    if (p->key == key)
      return 1;
  }
  return 0;
}

int find_min(struct tree *s, int otherwise) {
  struct node *p = s->root;
  while (p && p->left)
    p = p->left;
  return p ? p->key : otherwise;
}

int find_max(struct tree *s, int otherwise) {
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

int clear(struct tree *s, int unused) {
  (void)unused;
  free_subtree(s->root);
  s->root = NULL;
  return 1;
}

#define PAIR_OF(a, b) PAIR(struct tree *s, a, b)
#define PAIRS(a)                                                                                                       \
  PAIR_OF(a, insert)                                                                                                   \
  PAIR_OF(a, remove_key) PAIR_OF(a, find) PAIR_OF(a, find_min) PAIR_OF(a, find_max) PAIR_OF(a, clear)

PAIRS(insert)
PAIRS(remove_key)
PAIRS(find)
PAIRS(find_min)
PAIRS(find_max)
PAIRS(clear)

#ifdef SELFTEST
#define REFUSED_BY_ALL(variable, value)                                                                                \
  WITH(variable, value, EXPECT(!ok(s)); EXPECT(!maybe_ok(s)); EXPECT(!numbers_ok(s)))

static void check_node(struct tree *s, struct node *p) {
  if (!p)
    return;
  REFUSED(p->left, p);
  REFUSED(p->right, s->root);
  REFUSED_BY_ALL(p->height, p->height + 1);
  REFUSED_BY_ALL(p->height, p->height - 1);
  if (p->left)
    REFUSED_BY_ALL(p->key, p->left->key);
  if (p->right && p->left)
    REFUSED(p->left, p->right);
  OPEN(p->left);
  OPEN(p->right);
  WITH(p->left, UNDECIDED, OPEN(p->right); WITH(p->height, 0, EXPECT(!numbers_ok(s)); EXPECT(!maybe_ok(s))));
  if (p->left)
    WITH(p->right, UNDECIDED, WITH(p->height, p->left->height, EXPECT(!numbers_ok(s)); EXPECT(!maybe_ok(s))));
  WITH(p->right, UNDECIDED, WITH(p->height, height(p->left) + 3, EXPECT(!numbers_ok(s))));
  check_node(s, p->left);
  check_node(s, p->right);
}

static void check(struct tree *s) {
  EXPECT(ok(s));
  EXPECT(maybe_ok(s));
  EXPECT(numbers_ok(s));
  OPEN(s->root);
  check_node(s, s->root);
}

int main(void) {
  struct tree tree = {NULL};
  struct tree *s = &tree;
  int (*operations[])(struct tree *, int) = {insert, insert, remove_key, remove_key, find, clear};
  for (int i = 0; i < 4000; i++) {
    check(s);
    int key = next_random() % 7, was_there = find(s, key);
    int operation = next_random() % (i % 200 ? 5 : 6);
    int result = operations[operation](s, key);
    EXPECT(operation > 3 || (result == (operation < 2 ? !was_there : was_there)));
  }
  clear(s, 0);
  EXPECT(insert(s, 3) && insert(s, 1) && insert(s, 2) && find_min(s, 0) == 1 && find_max(s, 0) == 3);
  EXPECT(insert_then_remove_key(s, 5, 5) == 2);
  check(s);
  clear(s, 0);
  return 0;
}
#endif
