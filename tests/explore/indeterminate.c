// options: --uninitialised input
// A variable that was not given a value has any, and keeps it.
extern void reach_error(void);
extern void *malloc(unsigned long);

struct pair {
  int first;
  char second;
};

static int unset(void) {
  int local;
  return local;
}

int main(void) {
  int n, m = n;
  struct pair pair;
  char text[3];
  int *heap = malloc(sizeof *heap);
  if (m != n)
    reach_error();
  if (n == 4321 && pair.second == 'x' && text[1] == pair.second && *heap == 5)
    reach_error(); //~ BUG(reach-error)
  if (unset() == 17)
    reach_error(); //~ BUG(reach-error)
  return 0;
}
