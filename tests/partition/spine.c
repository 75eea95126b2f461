// The spine of a list ties none of its nodes.
// paths: 9
// options: --entry test --nesting 4
struct node { int x; struct node *next; };
int hits;
void test(struct node *l) {
  for (; l; l = l->next)
    if (l->x)
      hits++;
}
