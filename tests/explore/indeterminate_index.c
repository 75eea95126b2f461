// options: --uninitialised input
// Elements that were not given a value have any, also at an index that comes from the input.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct pair {
  int first, second;
};

int main(void) {
  struct pair pairs[3];
  int table[4];
  unsigned at = __VERIFIER_nondet_uchar() % 4;
  if (table[at] != table[at])
    reach_error();
  if (at == 2 && table[at] == 77 && table[1] == 78)
    reach_error(); //~ BUG(reach-error)
  pairs[at % 3].second = 5;
  if (pairs[at % 3].second != 5)
    reach_error();
  if (at == 3 && pairs[1].second == 6 && pairs[0].first == 7)
    reach_error(); //~ BUG(reach-error)
  return 0;
}
