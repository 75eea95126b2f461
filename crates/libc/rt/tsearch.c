// Binary search trees of <search.h>: red-black trees, into which nodes are inserted top-down, so that the depths which
// twalk reports are glibc's. Deletion keeps the order but not the balance.

#include "rt.h"

#include <search.h>

// The key comes first: programs read it through the node's address.
struct node {
  const void *key;
  struct node *left, *right;
  int red;
};

// A link on the way down, and which side the search took from its node.
struct step {
  struct node **link;
  int order;
};

static int is_red(const struct node *node) { return node && node->red; }

static struct node **child(struct node *node, int order) { return order < 0 ? &node->left : &node->right; }

// A red node under a red parent: rotates them into order below the grandparent's link.
static void rotate(struct node *node, struct step parent, struct step grandparent) {
  struct node *p = *parent.link, *g = *grandparent.link;
  if ((parent.order > 0) != (grandparent.order > 0)) {
    // On different sides: the node comes to the top.
    *child(p, parent.order) = *child(node, -parent.order);
    *child(node, -parent.order) = p;
    *child(g, grandparent.order) = *child(node, parent.order);
    *child(node, parent.order) = g;
    node->red = 0;
    p->red = g->red = 1;
    *grandparent.link = node;
  } else {
    *child(g, parent.order) = *child(p, -parent.order);
    *child(p, -parent.order) = g;
    p->red = 0;
    g->red = 1;
    *grandparent.link = p;
  }
}

// Hands the red of two red children up, and repairs two reds in a row.
static void split(struct node *node, struct step parent, struct step grandparent) {
  node->red = 1;
  if (node->left) node->left->red = 0;
  if (node->right) node->right->red = 0;
  if (parent.link && (*parent.link)->red) rotate(node, parent, grandparent);
}

void *tsearch(const void *key, void **root, __compar_fn_t compare) {
  struct node **link = (struct node **)root;
  struct step parent = {NULL, 0}, grandparent = {NULL, 0};
  struct node *added;
  if (!root) return NULL;
  if (*link) (*link)->red = 0;
  while (*link) {
    struct node *node = *link;
    int order = compare(key, node->key);
    if (order == 0) return node;
    if (is_red(node->left) && is_red(node->right)) split(node, parent, grandparent);
    grandparent = parent;
    // A rotation may have moved the node from this link; the way down starts at the node either way.
    parent = (struct step){link, order};
    link = child(node, order);
  }
  added = malloc(sizeof *added);
  if (!added) return NULL;
  *added = (struct node){.key = key};
  *link = added;
  if (parent.link) split(added, parent, grandparent);
  return added;
}

void *tfind(const void *key, void *const *root, __compar_fn_t compare) {
  struct node *node = root ? *root : NULL;
  while (node) {
    int order = compare(key, node->key);
    if (order == 0) break;
    node = *child(node, order);
  }
  return node;
}

// The parent of the node that was deleted, which for the root is any pointer but null.
void *tdelete(const void *restrict key, void **restrict root, __compar_fn_t compare) {
  struct node **link = (struct node **)root;
  struct node *parent = NULL, *node;
  int order;
  if (!root) return NULL;
  while (*link && (order = compare(key, (*link)->key)) != 0) {
    parent = *link;
    link = child(parent, order);
  }
  node = *link;
  if (!node) return NULL;
  if (!parent) parent = node;
  if (node->left && node->right) {
    struct node **next = &node->right;
    struct node *successor;
    while ((*next)->left) next = &(*next)->left;
    successor = *next;
    *next = successor->right;
    successor->left = node->left;
    successor->right = node->right;
    successor->red = node->red;
    *link = successor;
  } else {
    *link = node->left ? node->left : node->right;
  }
  free(node);
  return parent;
}

static void walk(const struct node *node, void (*visit)(const void *, VISIT, int), int depth) {
  if (!node->left && !node->right) {
    visit(node, leaf, depth);
    return;
  }
  visit(node, preorder, depth);
  if (node->left) walk(node->left, visit, depth + 1);
  visit(node, postorder, depth);
  if (node->right) walk(node->right, visit, depth + 1);
  visit(node, endorder, depth);
}

void twalk(const void *root, __action_fn_t visit) {
  if (root && visit) walk(root, visit, 0);
}

static void destroy(struct node *node, __free_fn_t release) {
  if (node->left) destroy(node->left, release);
  if (node->right) destroy(node->right, release);
  release((void *)node->key);
  free(node);
}

void tdestroy(void *root, __free_fn_t release) {
  if (root) destroy(root, release);
}
