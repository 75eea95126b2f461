// Red-black trees of SGLIB: every function with trees of up to seven elements.
#include <stddef.h>
#include SGLIB_HEADER

typedef struct item {
  int key;
  char color;
  struct item *left, *right;
} item;

#define COMPARE(a, b) ((a)->key < (b)->key ? -1 : (a)->key > (b)->key)

SGLIB_DEFINE_RBTREE_PROTOTYPES(item, left, right, color, COMPARE)
SGLIB_DEFINE_RBTREE_FUNCTIONS(item, left, right, color, COMPARE)

enum { BLACK_COLOR = 0, RED_COLOR = 1 };

// The number of black nodes on every way down, or -1.
static int black_height(const item *t, long low, long high, int parent, int *left) {
  if (!t)
    return 0;
  if (--*left < 0 || t->key <= low || t->key >= high)
    return -1;
  if (t->color != BLACK_COLOR && (t->color != RED_COLOR || parent == RED_COLOR))
    return -1;
  int height = black_height(t->left, low, t->key, t->color, left);
  if (height < 0 || black_height(t->right, t->key, high, t->color, left) != height)
    return -1;
  return height + (t->color == BLACK_COLOR);
}

static int is_tree(const item *t) {
  int left = 7;
  return (!t || t->color == BLACK_COLOR) && black_height(t, -(1L << 40), 1L << 40, RED_COLOR, &left) >= 0;
}

int one(item *tree) { return is_tree(tree); }
int with_new(item *tree, item *elem) { return elem && is_tree(tree) && !elem->left && !elem->right; }

// entry add with_new
void add(item *tree, item *elem) { sglib_item_add(&tree, elem); }
// entry add_if_not_member with_new
int add_if_not_member(item *tree, item *elem) {
  item *found;
  return sglib_item_add_if_not_member(&tree, elem, &found);
}
// entry delete_if_member with_new
int delete_if_member(item *tree, item *elem) {
  item *found;
  return sglib_item_delete_if_member(&tree, elem, &found);
}
// entry is_member with_new
int is_member(item *tree, item *elem) { return sglib_item_is_member(tree, elem); }
// entry find_member with_new
int find_member(item *tree, item *elem) { return sglib_item_find_member(tree, elem) != NULL; }
// entry len one
int len(item *tree) { return sglib_item_len(tree); }
// entry iterate one
int iterate(item *tree) {
  struct sglib_item_iterator it;
  int n = 0;
  for (item *p = sglib_item_it_init_inorder(&it, tree); p; p = sglib_item_it_next(&it))
    n++;
  return n;
}
