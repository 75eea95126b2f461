// Loops that never end: the pointers of the input make a circle that the function does not look for.
// trial: entry=ring_length expect=endless-loop at=walk
// trial: entry=ring_length assume=is_ring expect=clean branches=85
// trial: entry=collatz param=n=7 expect=clean
struct node {
  int value;
  struct node *next;
};

int is_ring(struct node *head) {
  if (!head)
    return 1;
  struct node *first = head->next;
  if (!first)
    return 0;
  return first == head || first->next == head;
}

int ring_length(struct node *head) {
  if (!head)
    return 0;
  int is_same = 1;
  struct node *last = head;
  for (struct node *p = head->next; p != head; p = p->next) { //~ walk
    if (!p)
      return -1;
    if (p == last || p->value != head->value)
      is_same = 0;
    last = p;
  }
  return is_same;
}

// It takes its time, but it ends.
int collatz(unsigned n) {
  int n_steps = 0;
  for (int i = 0; i < 2000; i++)
    for (unsigned at = n; at != 1; at = at % 2 ? 3 * at + 1 : at / 2)
      n_steps++;
  return n_steps > 0;
}
